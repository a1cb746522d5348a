/**
 * VolumeAttachment: the intent to attach a volume to a node. Models: v1.24 storage/v1 VolumeAttachment,
 * pkg/registry/storage/volumeattachment.
 */
import { defineKind, keepSpecAndMeta, keepStatus, subdomainName } from '../../machinery/index.ts';
import { volumeAttachmentColumns } from './columns.ts';
import { volumeAttachmentSpecification } from './specification.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './rules.ts';
import { type VolumeAttachment, volumeAttachmentSchema } from './shape.ts';
import { volumeAttachmentExample } from './example.ts';

export const volumeAttachment = defineKind<VolumeAttachment>({
  kind: 'VolumeAttachment',
  plural: 'volumeattachments',
  groupPrefix: 'storage',
  version: 'v1',
  namespaced: false,
  schema: volumeAttachmentSchema,
  subresources: ['status'],
  allowUnconditionalUpdate: false,
  deleteReturns: 'object',
  validateName: subdomainName,
  prepareForCreate(draft) {
    draft.status = { attached: false };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndMeta,
  validate: validateVolumeAttachment,
  validateUpdate: validateVolumeAttachmentUpdate,
  columns: volumeAttachmentColumns,
  models: 'Complete. Upstream: pkg/registry/storage/volumeattachment, pkg/apis/storage/validation.',
  specification: volumeAttachmentSpecification,
  example: volumeAttachmentExample,
});
