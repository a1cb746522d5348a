/** VolumeAttachment: the intent to attach a volume to a node. Models: v1.24 storage/v1 VolumeAttachment, pkg/registry/storage/volumeattachment. */
import { always, bool, map, obj, ptr, req, str, time, type Infer } from '../../schema/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { inlineVolumeSpec } from '../shapes/volume-spec.ts';
import { keepSpecAndMeta, keepStatus } from '../strategy.ts';
import { subdomainName } from '../validation/object-meta.ts';
import { validateVolumeAttachment, validateVolumeAttachmentUpdate } from './volume-attachment-validation.ts';

const volumeError = obj('VolumeError', { time: always(time), message: str() });

export const volumeAttachmentSchema = obj('VolumeAttachment', {
  ...typeMeta,
  spec: req(obj('VolumeAttachmentSpec', {
    attacher: req(str()),
    source: req(obj('VolumeAttachmentSource', { persistentVolumeName: ptr(str()), inlineVolumeSpec })),
    nodeName: req(str()),
  })),
  status: always(obj('VolumeAttachmentStatus', { attached: req(bool), attachmentMetadata: map(str()), attachError: volumeError, detachError: volumeError })),
});
export type VolumeAttachment = ObjectOf<'VolumeAttachment', Infer<typeof volumeAttachmentSchema>>;

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
    draft['status'] = { attached: false };
  },
  prepareForUpdate: keepStatus,
  prepareForStatusUpdate: keepSpecAndMeta,
  validate: validateVolumeAttachment,
  validateUpdate: validateVolumeAttachmentUpdate,
  columns: [
    nameColumn,
    { name: 'Attacher', type: 'string', format: 'name', description: 'Driver that attaches.', priority: 0, cell: (object) => object.spec.attacher },
    { name: 'PV', type: 'string', description: 'Name of the persistent volume to attach.', priority: 0, cell: (object) => object.spec.source.persistentVolumeName ?? '' },
    { name: 'Node', type: 'string', description: 'The node that the volume should be attached to.', priority: 0, cell: (object) => object.spec.nodeName },
    { name: 'Attached', type: 'boolean', description: 'Whether the volume is attached.', priority: 0, cell: (object) => object.status.attached },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/storage/volumeattachment, pkg/apis/storage/validation.',
});
