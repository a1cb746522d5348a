/** Ingresses, policies, services and their endpoints. Source: spec, "Ingress", "NetworkPolicy", "Endpoints", "EndpointSlice". */
import type { Texts } from './texts.ts';

export const NETWORKING: Texts = {
  EndpointPort: {
    '': 'One port.',
    name: "The name of the service's port; may be absent for a single port.",
    port: 'Its number; absent in a slice: all ports.',
    protocol: 'TCP, UDP or SCTP.',
    appProtocol: 'The application protocol; names without a prefix are registered ones.',
  },
  LoadBalancerStatus: { '': 'The state of a load balancer.', ingress: 'One entry for each ingress point.' },
  LoadBalancerIngress: {
    '': 'An ingress point of a load balancer.',
    ip: 'Its address.',
    hostname: 'Its name.',
    ports: 'One entry for each port of the service.',
  },
  PortStatus: {
    '': 'The state of a port.',
    port: 'Its number.',
    protocol: 'TCP, UDP or SCTP.',
    error: 'The error, in CamelCase or as domain/name.',
  },
};
