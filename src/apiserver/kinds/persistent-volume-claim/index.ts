/** PersistentVolumeClaim: a request for storage. Models: v1.24 core/v1 PersistentVolumeClaim, pkg/registry/core/persistentvolumeclaim. */
import { defineKind, keepSpec, keepStatus, persistentVolumeClaim as schema, currentOf, subdomainName } from '../../machinery/index.ts';
import { persistentVolumeClaimColumns } from './columns.ts';
import { alignSources, validate, validateStatusUpdate, validateUpdate } from './rules.ts';
import type { PersistentVolumeClaim } from './shape.ts';
import { persistentVolumeClaimExample } from './example.ts';

export const persistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
  shortNames: ['pvc'],
  groupPrefix: '',
  version: 'v1',
  namespaced: true,
  schema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft, context) {
    draft.status = { phase: 'Pending' };
    alignSources(draft, undefined, context);
  },
  prepareForUpdate(draft, old, context) {
    keepStatus(draft, old);
    if (currentOf(draft.spec) !== old.spec) alignSources(draft, old, context);
  },
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate,
  validateUpdate,
  validateStatusUpdate,
  columns: persistentVolumeClaimColumns,
  models: 'Complete. Omits: expansion recovery (gated). Upstream: pkg/registry/core/persistentvolumeclaim, pkg/apis/core/validation.',
  example: persistentVolumeClaimExample,
});
