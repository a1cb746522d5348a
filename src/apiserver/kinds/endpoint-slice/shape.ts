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
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';

const endpoint = obj(
  'Endpoint',
  'One endpoint.',
  {
    addresses: field(1, '1 to 100 of the type of the slice, which are interchangeable.', req(setList(str()))),
    conditions: field(
      2,
      'Whether it may get traffic.',
      always(
        obj('EndpointConditions', 'Whether an endpoint may get traffic.', {
          ready: field(1, 'Whether it may; absent: unknown, which counts as true. Never true for a terminating one.', ptr(bool)),
          serving: field(2, 'Whether it responds, terminating or not; absent: the same as ready.', ptr(bool)),
          terminating: field(3, 'Whether it is terminating; absent: it is not.', ptr(bool)),
        }),
      ),
    ),
    hostname: field(3, 'Its host name; endpoints of one name are interchangeable.', ptr(str())),
    targetRef: field(4, 'The object behind it.', objectReference),
    deprecatedTopology: field(5, 'From an earlier version; writes are ignored.', map(str())),
    nodeName: field(6, 'Its node.', ptr(str())),
    zone: field(7, 'Its zone.', ptr(str())),
    hints: field(
      8,
      'The clients that should use it.',
      obj('EndpointHints', 'The clients that should use an endpoint.', {
        forZones: field(1, 'Clients in these zones.', atomicList(obj('ForZone', 'A zone.', { name: field(1, 'Its name.', req(str())) }))),
      }),
    ),
  },
  // An update changes one of hundreds of items: the others are decoded and validated once.
  { memo: true },
);
export type Endpoint = Infer<typeof endpoint>;

const endpointPort = obj(
  'EndpointPort',
  'One port.',
  {
    name: field(1, "The name of the service's port; may be absent for a single port.", filled(ptr(str()), '')),
    protocol: field(2, 'TCP, UDP or SCTP.', filled(ptr(str('Protocol')), 'TCP')),
    port: field(3, 'Its number; absent in a slice: all ports.', ptr(int32)),
    appProtocol: field(4, 'The application protocol; names without a prefix are registered ones.', ptr(str())),
  },
  { mapType: 'atomic' },
);

export const endpointSliceSchema = obj('EndpointSlice', 'A part of the endpoints of a service; all its slices together are the whole.', {
  ...typeMeta,
  addressType: field(
    4,
    'IPv4, IPv6 or FQDN, for all addresses. Cannot be changed.',
    oneOf(req(str('AddressType')), ['FQDN', 'IPv4', 'IPv6']),
  ),
  endpoints: field(2, 'At most 1,000.', published(atomicList(endpoint))),
  ports: field(3, 'At most 100, with unique names; none: no port is defined.', always(atomicList(endpointPort))),
});
/** A stored EndpointSlice: defaulted, validated and frozen. */
export type EndpointSlice = ObjectOf<'EndpointSlice', Infer<typeof endpointSliceSchema>>;
