/** The schema of EndpointSlices: fields, types, and the defaults that depend only on the object. */
import {
  always,
  atomicList,
  bool,
  filled,
  type Infer,
  int32,
  map,
  obj,
  ptr,
  published,
  req,
  setList,
  str,
} from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

const endpoint = obj(
  'Endpoint',
  {
    addresses: req(setList(str())),
    conditions: always(obj('EndpointConditions', { ready: ptr(bool), serving: ptr(bool), terminating: ptr(bool) })),
    hostname: ptr(str()),
    targetRef: objectReference,
    deprecatedTopology: map(str()),
    nodeName: ptr(str()),
    zone: ptr(str()),
    hints: obj('EndpointHints', { forZones: atomicList(obj('ForZone', { name: req(str()) })) }),
  },
  // An update changes one of hundreds of items: the others are decoded and validated once.
  { memo: true },
);
export type Endpoint = Infer<typeof endpoint>;

const endpointPort = obj(
  'EndpointPort',
  {
    name: filled(ptr(str()), ''),
    protocol: filled(ptr(str('Protocol')), 'TCP'),
    port: ptr(int32),
    appProtocol: ptr(str()),
  },
  { mapType: 'atomic' },
);

export const endpointSliceSchema = obj('EndpointSlice', {
  ...typeMeta,
  addressType: req(str('AddressType')),
  endpoints: published(atomicList(endpoint)),
  ports: always(atomicList(endpointPort)),
});
/** A stored EndpointSlice: defaulted, validated and frozen. */
export type EndpointSlice = ObjectOf<'EndpointSlice', Infer<typeof endpointSliceSchema>>;
