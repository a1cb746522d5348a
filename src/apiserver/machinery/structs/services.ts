/**
 * The status of load balancers, the same for Services and Ingresses, and its validation. Models: v1.24 core/v1 LoadBalancerStatus,
 * pkg/apis/core/validation ValidateLoadBalancerStatus.
 */
import { atomicList, field, int32, list, obj, oneOf, ptr, req, str } from '../../../schema/shape/index.ts';
import { append, isDns1123Subdomain, parseIp } from '../../../schema/values/index.ts';
import type { FieldError } from '../status.ts';
import { invalid } from '../validation/field-errors.ts';

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

interface Point {
  readonly ip?: string;
  readonly hostname?: string;
}

export function validateLoadBalancerStatus(
  { ingress = [] }: { readonly ingress?: readonly Point[] },
  field = 'status.loadBalancer',
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [at, { ip, hostname }] of ingress.entries()) {
    const path = `${field}.ingress[${at}]`;
    if (ip !== undefined && parseIp(ip) === undefined) errors.push(invalid(`${path}.ip`, ip, 'must be a valid IP address'));
    if (hostname === undefined) continue;
    append(
      errors,
      isDns1123Subdomain(hostname).map((problem) => invalid(`${path}.hostname`, hostname, problem)),
    );
    if (parseIp(hostname) !== undefined) errors.push(invalid(`${path}.hostname`, hostname, 'must be a DNS name, not an IP address'));
  }
  return errors;
}
