/** Descriptions of EndpointSlices and their fields, in our words. Source: spec, "EndpointSlice". */
import type { Texts, Values } from '../../machinery/index.ts';

export const endpointSliceTexts: Texts = {
  EndpointSlice: {
    '': 'Some of the endpoints of a service; all its slices together are the whole.',
    addressType: 'IPv4, IPv6 or FQDN, of all its addresses. Cannot be changed.',
    endpoints: 'At most 1,000.',
    ports: 'At most 100, with names of their own; none: no port is defined.',
  },
  Endpoint: {
    '': 'One endpoint.',
    addresses: '1 to 100 of the type of the slice, all as good as each other.',
    conditions: 'Whether it may get traffic.',
    hostname: 'Its host name; several of one name are as good as each other.',
    targetRef: 'What answers there.',
    deprecatedTopology: 'From an earlier version; what is written here is not stored.',
    nodeName: 'The node it is on.',
    zone: 'The zone it is in.',
    hints: 'Who should use it.',
  },
  EndpointConditions: {
    '': 'Whether an endpoint may get traffic.',
    ready: 'It may; absent: not known, taken as true. Never true for one that ends.',
    serving: 'It answers, whether it ends or not; absent: as ready says.',
    terminating: 'It is ending; absent: it is not.',
  },
  EndpointHints: { '': 'Who should use an endpoint.', forZones: 'Clients in these zones.' },
  ForZone: { '': 'A zone.', name: 'Its name.' },
};

/** Fields with a closed set of values, sorted. */
export const endpointSliceValues: Values = {
  EndpointSlice: { addressType: ['FQDN', 'IPv4', 'IPv6'] },
};
