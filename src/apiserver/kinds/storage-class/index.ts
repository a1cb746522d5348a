/** StorageClass: parameters of volumes made on demand. Models: v1.24 storage/v1 StorageClass, pkg/registry/storage/storageclass. */
import { defineKind, subdomainName, validateMeta } from '../../vocabulary/index.ts';
import { storageClassColumns } from './columns.ts';
import { fieldErrors, validateUpdate } from './rules.ts';
import { type StorageClass, storageClassSchema } from './shape.ts';
import { storageClassExample } from './example.ts';
import { storageClassTexts } from './texts.ts';
import { storageClassWire } from './wire.ts';

export const storageClass = defineKind<StorageClass>({
  kind: 'StorageClass',
  plural: 'storageclasses',
  shortNames: ['sc'],
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: storageClassSchema,
  deleteReturns: 'object',
  applyDefaults(draft) {
    // The specification's spelling of the same mode.
    if (draft.volumeBindingMode === 'VolumeBindingImmediate') draft.volumeBindingMode = 'Immediate';
  },
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, false, subdomainName, context), ...fieldErrors(object)],
  validateUpdate: (object, old, context) => [
    ...validateMeta(object, false, subdomainName, context),
    ...fieldErrors(object),
    ...validateUpdate(object, old, context),
  ],
  columns: storageClassColumns,
  models:
    'Complete. `VolumeBindingImmediate` is accepted for `Immediate`. Upstream: pkg/registry/storage/storageclass, pkg/apis/storage/validation.',
  texts: storageClassTexts,
  wire: storageClassWire,
  example: storageClassExample,
});
