/** CSIDriver: a storage driver installed in the cluster. Models: v1.24 storage/v1 CSIDriver, pkg/registry/storage/csidriver. */
import { defineKind, sameValue, subdomainName } from '../../machinery/index.ts';
import { csiDriverSpecification } from './specification.ts';
import { csiDriverColumns } from './columns.ts';
import { validate, validateUpdate } from './rules.ts';
import { type CSIDriver, csiDriverSchema } from './shape.ts';
import { csiDriverExample } from './example.ts';

export const csiDriver = defineKind<CSIDriver>({
  kind: 'CSIDriver',
  plural: 'csidrivers',
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: csiDriverSchema,
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  prepareForUpdate(draft, old) {
    const { spec } = draft;
    const before = old.spec;
    // The only kind whose generation starts with its first change.
    if (!sameValue(spec.tokenRequests, before.tokenRequests) || spec.requiresRepublish !== before.requiresRepublish)
      draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validateName: subdomainName,
  validate,
  validateUpdate,
  columns: csiDriverColumns,
  models: 'Complete. Upstream: pkg/registry/storage/csidriver, pkg/apis/storage/validation.',
  specification: csiDriverSpecification,
  example: csiDriverExample,
});
