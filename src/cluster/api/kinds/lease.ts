/** Lease: a time-limited lock held by an identity. Models: v1.24 coordination/v1 Lease, pkg/registry/coordination/lease. */
import { always, int32, microTime, obj, ptr, str, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { invalid } from '../validation/field-errors.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const leaseSchema = obj('Lease', {
  ...typeMeta,
  spec: always(obj('LeaseSpec', {
    holderIdentity: ptr(str()),
    leaseDurationSeconds: ptr(int32),
    acquireTime: ptr(microTime),
    renewTime: ptr(microTime),
    leaseTransitions: ptr(int32),
  })),
});
export type Lease = ObjectOf<'Lease', Infer<typeof leaseSchema>>;

function specErrors(lease: Lease): FieldError[] {
  const errors: FieldError[] = [];
  const { leaseDurationSeconds, leaseTransitions } = lease.spec;
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) errors.push(invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'));
  if (leaseTransitions !== undefined && leaseTransitions < 0) errors.push(invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0'));
  return errors;
}

export const lease = defineKind<Lease>({
  kind: 'Lease',
  plural: 'leases',
  groupPrefix: 'coordination',
  version: 'v1',
  namespaced: true,
  schema: leaseSchema,
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context, 'metadata', false), ...specErrors(object)],
  validateUpdate: (object, old, context) => [...validateMetaUpdate(object, old, context, 'metadata', false), ...specErrors(object)],
  columns: [nameColumn, { name: 'Holder', type: 'string', description: 'HolderIdentity contains the identity of the holder of the current lease', priority: 0, cell: (object) => object.spec.holderIdentity ?? '' }, ageColumn],
  models: 'Complete. Upstream: pkg/registry/coordination/lease, pkg/apis/coordination/validation.',
});
