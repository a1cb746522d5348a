/** The shape of a Endpoints: its fields, their types and the defaults that need nothing but the object. */
import { filled, type Infer, int32, list, obj, ptr, req, str } from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

export const endpointAddress = obj(
  'EndpointAddress',
  { ip: req(str()), hostname: str(), nodeName: ptr(str()), targetRef: objectReference },
  // A list of thousands changes by one: the others are read and judged once.
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
/** An object of kind Endpoints, as the store holds it: defaulted, validated and frozen. */
export type Endpoints = ObjectOf<'Endpoints', Infer<typeof endpointsSchema>>;
export type Subset = Infer<typeof endpointSubset>;
