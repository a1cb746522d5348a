/** The schema of VolumeAttachments: fields, types, and the defaults that depend only on the object. */
import { always, bool, type Infer, map, obj, ptr, req, str, time } from '../../../schema/shape/index.ts';
import { inlineVolumeSpec, type ObjectOf, typeMeta } from '../../machinery/index.ts';

const volumeError = obj('VolumeError', { time: always(time), message: str() });

export const volumeAttachmentSchema = obj('VolumeAttachment', {
  ...typeMeta,
  spec: req(
    obj('VolumeAttachmentSpec', {
      attacher: req(str()),
      source: req(obj('VolumeAttachmentSource', { persistentVolumeName: ptr(str()), inlineVolumeSpec })),
      nodeName: req(str()),
    }),
  ),
  status: always(
    obj('VolumeAttachmentStatus', {
      attached: req(bool),
      attachmentMetadata: map(str()),
      attachError: volumeError,
      detachError: volumeError,
    }),
  ),
});
export type VolumeAttachment = ObjectOf<'VolumeAttachment', Infer<typeof volumeAttachmentSchema>>;
