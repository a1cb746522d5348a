/** Load balancer status, shared by Services and Ingresses. Models: v1.24 core/v1 LoadBalancerStatus. */
import { atomicList, int32, list, obj, ptr, req, str, field, oneOf } from '../../../schema/shape/index.ts';

const portStatus = obj('PortStatus', 'How it stands with a port.', {
  port: field(1, 'Its number.', req(int32)),
  protocol: field(2, 'TCP, UDP or SCTP.', oneOf(req(str('Protocol')), ['SCTP', 'TCP', 'UDP'])),
  error: field(3, 'Why it does not work, in CamelCase or as domain/name.', ptr(str())),
});
export const loadBalancerStatus = obj('LoadBalancerStatus', 'Where traffic comes in.', {
  ingress: field(
    1,
    'One entry a point.',
    list(
      obj('LoadBalancerIngress', 'A point where traffic comes in.', {
        ip: field(1, 'Its address.', str()),
        hostname: field(2, 'Its name.', str()),
        ports: field(4, 'One entry a port of the service.', atomicList(portStatus)),
      }),
    ),
  ),
});
