/** The schema of Endpoints: fields, types, and the defaults that depend only on the object. */
import { filled, type Infer, int32, list, obj, ptr, req, str, field, oneOf } from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

export const endpointAddress = obj(
  'EndpointAddress',
  'One address.',
  {
    ip: field(1, 'Not a loopback, link-local or link-local multicast address.', req(str())),
    hostname: field(3, 'Its host name.', str()),
    nodeName: field(4, 'The node it is on.', ptr(str())),
    targetRef: field(2, 'What answers there, most often a pod.', objectReference),
  },
  // An update changes one of thousands of items: the others are decoded and validated once.
  { mapType: 'atomic', memo: true },
);
export const endpointPort = obj(
  'EndpointPort',
  'One port.',
  {
    name: field(1, 'As the service calls it; may be absent where there is only one.', str()),
    port: field(2, 'Its number; absent in a slice: all ports.', req(int32)),
    protocol: field(3, 'TCP, UDP or SCTP.', oneOf(filled(str('Protocol'), 'TCP'), ['SCTP', 'TCP', 'UDP'])),
    appProtocol: field(4, 'What is spoken there; names without a prefix are the registered ones.', ptr(str())),
  },
  { mapType: 'atomic' },
);
const endpointSubset = obj('EndpointSubset', 'Every address with every port.', {
  addresses: field(1, 'Addresses that may get traffic.', list(endpointAddress)),
  notReadyAddresses: field(2, 'Addresses that are starting or have failed a check; none is in both lists.', list(endpointAddress)),
  ports: field(3, 'Ports of all the addresses.', list(endpointPort)),
});

export const endpointsSchema = obj('Endpoints', 'Addresses and ports behind a service, in the old form.', {
  ...typeMeta,
  subsets: field(
    2,
    'All of them together are the endpoints. An address whose ports differ in readiness stands in several.',
    list(endpointSubset),
  ),
});
/** A stored Endpoints: defaulted, validated and frozen. */
export type Endpoints = ObjectOf<'Endpoints', Infer<typeof endpointsSchema>>;
export type Subset = Infer<typeof endpointSubset>;
