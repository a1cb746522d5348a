/** The schema of VolumeAttachments: fields, types, and the defaults that depend only on the object. */
import { always, bool, type Infer, map, obj, ptr, req, str, time, field } from '../../../schema/shape/index.ts';
import { inlineVolumeSpec, type ObjectOf, typeMeta } from '../../machinery/index.ts';

const volumeError = obj('VolumeError', 'A failed try.', {
  time: field(1, 'When.', always(time)),
  message: field(2, 'Why; may be logged, so nothing secret.', str()),
});

export const volumeAttachmentSchema = obj(
  'VolumeAttachment',
  'The wish that a volume be attached to a node; its deletion is the wish that it be detached.',
  {
    ...typeMeta,
    spec: field(
      2,
      req(
        obj('VolumeAttachmentSpec', 'Which volume, where to, by whom.', {
          attacher: field(1, 'The driver that has to do it.', req(str())),
          source: field(
            2,
            'The volume.',
            req(
              obj('VolumeAttachmentSource', 'The volume: one of its members.', {
                persistentVolumeName: field(1, 'A PersistentVolume.', ptr(str())),
                inlineVolumeSpec: field(2, 'A volume written in a pod, translated by the migration of old plug-ins.', inlineVolumeSpec),
              }),
            ),
          ),
          nodeName: field(3, 'The node.', req(str())),
        }),
      ),
    ),
    status: field(
      3,
      always(
        obj('VolumeAttachmentStatus', 'What the driver has done.', {
          attached: field(1, 'Whether it is attached. Only whoever attaches says so.', req(bool)),
          attachmentMetadata: field(2, 'What the driver tells those who mount it; filled with the attachment.', map(str())),
          attachError: field(3, 'Why the last try to attach failed.', volumeError),
          detachError: field(4, 'Why the last try to detach failed.', volumeError),
        }),
      ),
    ),
  },
);
export type VolumeAttachment = ObjectOf<'VolumeAttachment', Infer<typeof volumeAttachmentSchema>>;
