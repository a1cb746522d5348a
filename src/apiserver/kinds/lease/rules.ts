/** Validation of Leases. */
import { type FieldError, invalid } from '../../machinery/index.ts';
import type { Lease } from './shape.ts';

export function specErrors(lease: Lease): FieldError[] {
  const errors: FieldError[] = [];
  const { leaseDurationSeconds, leaseTransitions } = lease.spec;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0)
    errors.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  if (leaseTransitions !== undefined && leaseTransitions < 0)
    errors.push(invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
  return errors;
}
