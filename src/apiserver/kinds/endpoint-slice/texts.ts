/** Descriptions of EndpointSlices and their fields, in our words. Source: spec, "EndpointSlice". */
import type { Texts, Values } from '../../machinery/index.ts';

export const endpointSliceTexts: Texts = {
  EndpointSlice: {
    '': 'A part of the endpoints of a service; all its slices together are the whole.',
    addressType: 'IPv4, IPv6 or FQDN, for all addresses. Cannot be changed.',
    endpoints: 'At most 1,000.',
    ports: 'At most 100, with unique names; none: no port is defined.',
  },
  Endpoint: {
    '': 'One endpoint.',
    addresses: '1 to 100 of the type of the slice, which are interchangeable.',
    conditions: 'Whether it may get traffic.',
    hostname: 'Its host name; endpoints of one name are interchangeable.',
    targetRef: 'The object behind it.',
    deprecatedTopology: 'From an earlier version; writes are ignored.',
    nodeName: 'Its node.',
    zone: 'Its zone.',
    hints: 'The clients that should use it.',
  },
  EndpointConditions: {
    '': 'Whether an endpoint may get traffic.',
    ready: 'Whether it may; absent: unknown, which counts as true. Never true for a terminating one.',
    serving: 'Whether it responds, terminating or not; absent: the same as ready.',
    terminating: 'Whether it is terminating; absent: it is not.',
  },
  EndpointHints: { '': 'The clients that should use an endpoint.', forZones: 'Clients in these zones.' },
  ForZone: { '': 'A zone.', name: 'Its name.' },
};

/** Fields with a closed set of values, sorted. */
export const endpointSliceValues: Values = {
  EndpointSlice: { addressType: ['FQDN', 'IPv4', 'IPv6'] },
};
