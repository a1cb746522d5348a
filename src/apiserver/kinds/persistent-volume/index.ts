/** PersistentVolume: storage that exists. Models: v1.24 core/v1 PersistentVolume, pkg/registry/core/persistentvolume. */
import { defineKind, keepSpec, keepStatus, subdomainName, validateMetaUpdate } from '../../machinery/index.ts';
import { persistentVolumeColumns } from './columns.ts';
import { validate, validateUpdate } from './rules.ts';
import { type PersistentVolume, persistentVolumeSchema } from './shape.ts';
import { persistentVolumeExample } from './example.ts';

export const persistentVolume = defineKind<PersistentVolume>({
  kind: 'PersistentVolume',
  plural: 'persistentvolumes',
  shortNames: ['pv'],
  groupPrefix: '',
  version: 'v1',
  namespaced: false,
  schema: persistentVolumeSchema,
  subresources: ['status'],
  deleteReturns: 'object',
  prepareForCreate(draft) {
    draft.status = { phase: 'Pending' };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpec,
  validateName: subdomainName,
  validate,
  validateUpdate,
  validateStatusUpdate: (object, old, context) => validateMetaUpdate(object, old, context),
  columns: persistentVolumeColumns,
  models: 'Complete. Upstream: pkg/registry/core/persistentvolume, pkg/apis/core/validation.',
  example: persistentVolumeExample,
});
