/** Descriptions of Endpoints and their fields, in our words. Source: spec, "Endpoints". */
import type { Texts, Values } from '../../machinery/index.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export const endpointsTexts: Texts = {
  Endpoints: {
    '': 'Addresses and ports behind a service, in the older form.',
    subsets: 'All of them together are the endpoints. An address whose ports differ in readiness is in several.',
  },
  EndpointSubset: {
    '': 'The product of addresses and ports.',
    addresses: 'Addresses that may get traffic.',
    notReadyAddresses: 'Addresses that are starting or have failed a probe; no address is in both lists.',
    ports: 'Ports of all the addresses.',
  },
  EndpointAddress: {
    '': 'One address.',
    ip: 'Not a loopback, link-local or link-local multicast address.',
    hostname: 'Its host name.',
    nodeName: 'Its node.',
    targetRef: 'The object behind it, most often a pod.',
  },
};

/** Fields with a closed set of values, sorted. */
export const endpointsValues: Values = {
  'core.v1.EndpointPort': { protocol: PROTOCOLS },
};
