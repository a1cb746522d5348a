/** Load balancer status, shared by Services and Ingresses. Models: v1.24 core/v1 LoadBalancerStatus. */
import { atomicList, int32, list, obj, ptr, req, str } from '../../../schema/shape/index.ts';

const portStatus = obj('PortStatus', { port: req(int32), protocol: req(str('Protocol')), error: ptr(str()) });
export const loadBalancerStatus = obj('LoadBalancerStatus', {
  ingress: list(obj('LoadBalancerIngress', { ip: str(), hostname: str(), ports: atomicList(portStatus) })),
});
