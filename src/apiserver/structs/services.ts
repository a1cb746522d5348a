/** The status of load balancers, the same for Services and Ingresses. Models: v1.24 core/v1 LoadBalancerStatus. */
import { atomicList, field, int32, list, obj, oneOf, ptr, req, str } from '../../schema/shape/index.ts';

const portStatus = obj('PortStatus', 'The state of a port.', {
  port: field(1, 'Its number.', req(int32)),
  protocol: field(2, 'TCP, UDP or SCTP.', oneOf(req(str('Protocol')), ['SCTP', 'TCP', 'UDP'])),
  error: field(3, 'The error, in CamelCase or as domain/name.', ptr(str())),
});
export const loadBalancerStatus = obj('LoadBalancerStatus', 'The state of a load balancer.', {
  ingress: field(
    1,
    'One entry for each ingress point.',
    list(
      obj('LoadBalancerIngress', 'An ingress point of a load balancer.', {
        ip: field(1, 'Its address.', str()),
        hostname: field(2, 'Its name.', str()),
        ports: field(4, 'One entry for each port of the service.', atomicList(portStatus)),
      }),
    ),
  ),
});
