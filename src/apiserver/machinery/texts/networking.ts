/** Ingresses, policies, services and their endpoints. Source: spec, "Ingress", "NetworkPolicy", "Endpoints", "EndpointSlice". */
import type { Texts } from './texts.ts';

export const NETWORKING: Texts = {
  EndpointPort: {
    '': 'One port.',
    name: 'As the service calls it; may be absent where there is only one.',
    port: 'Its number; absent in a slice: all ports.',
    protocol: 'TCP, UDP or SCTP.',
    appProtocol: 'What is spoken there; names without a prefix are the registered ones.',
  },
  LoadBalancerStatus: { '': 'Where traffic comes in.', ingress: 'One entry a point.' },
  LoadBalancerIngress: {
    '': 'A point where traffic comes in.',
    ip: 'Its address.',
    hostname: 'Its name.',
    ports: 'One entry a port of the service.',
  },
  PortStatus: {
    '': 'How it stands with a port.',
    port: 'Its number.',
    protocol: 'TCP, UDP or SCTP.',
    error: 'Why it does not work, in CamelCase or as domain/name.',
  },
};
