/**
 * StorageClass: parameters of dynamically provisioned volumes. Models: v1.24 storage/v1 StorageClass, pkg/registry/storage/storageclass.
 */
import { defineKind, rulesOf, subdomainName, validateMeta } from '../../machinery/index.ts';
import { storageClassSpecification } from './specification.ts';
import { storageClassColumns } from './columns.ts';
import { fieldErrors, validateUpdate } from './rules.ts';
import { type StorageClass, storageClassSchema } from './shape.ts';
import { storageClassExample } from './example.ts';

export const storageClass = defineKind<StorageClass>({
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: storageClassSchema,
  deleteReturns: 'object',
  applyDefaults(draft, context) {
    // The specification spells this mode differently.
    if (rulesOf(context) === 'specification' && draft.volumeBindingMode === 'VolumeBindingImmediate') draft.volumeBindingMode = 'Immediate';
  },
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, false, subdomainName, context), ...fieldErrors(object)],
  validateUpdate: (object, old, context) => [
    ...validateMeta(object, false, subdomainName, context),
    ...fieldErrors(object),
    ...validateUpdate(object, old, context),
  ],
  columns: storageClassColumns,
  models: 'Complete. Upstream: pkg/registry/storage/storageclass, pkg/apis/storage/validation.',
  specification: storageClassSpecification,
  example: storageClassExample,
});
