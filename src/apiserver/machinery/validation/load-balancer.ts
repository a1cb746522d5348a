/**
 * Validation of the status of load balancers, the same for Services and Ingresses. Models: v1.24 pkg/apis/core/validation
 * ValidateLoadBalancerStatus.
 */
import { append, isDns1123Subdomain, parseIp } from '../../../schema/values/index.ts';
import type { FieldError } from '../status.ts';
import { invalid } from './field-errors.ts';

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
