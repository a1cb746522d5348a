/** The schema of Endpoints: fields, types, and the defaults that depend only on the object. */
import { filled, type Infer, int32, list, obj, ptr, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

export const endpointAddress = obj(
  'EndpointAddress',
  { ip: req(str()), hostname: str(), nodeName: ptr(str()), targetRef: objectReference },
  // An update changes one of thousands of items: the others are decoded and validated once.
  { mapType: 'atomic', memo: true },
);
export const endpointPort = obj(
  'EndpointPort',
  { name: str(), port: req(int32), protocol: filled(str('Protocol'), 'TCP'), appProtocol: ptr(str()) },
  { mapType: 'atomic' },
);
const endpointSubset = obj('EndpointSubset', {
  addresses: list(endpointAddress),
  notReadyAddresses: list(endpointAddress),
  ports: list(endpointPort),
});

export const endpointsSchema = obj('Endpoints', { ...typeMeta, subsets: list(endpointSubset) });
/** A stored Endpoints: defaulted, validated and frozen. */
export type Endpoints = ObjectOf<'Endpoints', Infer<typeof endpointsSchema>>;
export type Subset = Infer<typeof endpointSubset>;
