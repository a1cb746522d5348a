/** Lease: a time-limited lock held by an identity. Models: v1.24 coordination/v1 Lease, pkg/registry/coordination/lease. */
import { defineKind, subdomainName, validateMeta, validateMetaUpdate } from '../../machinery/index.ts';
import { leaseColumns } from './columns.ts';
import { leaseSpecification } from './specification.ts';
import { specErrors } from './rules.ts';
import { type Lease, leaseSchema } from './shape.ts';
import { leaseExample } from './example.ts';

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
  columns: leaseColumns,
  models: 'Complete. Upstream: pkg/registry/coordination/lease, pkg/apis/coordination/validation.',
  specification: leaseSpecification,
  example: leaseExample,
});
