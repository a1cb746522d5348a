/** Descriptions of VolumeAttachments and their fields, in our words. Source: spec, "VolumeAttachment". */
import type { Texts } from '../../machinery/index.ts';

export const volumeAttachmentTexts: Texts = {
  VolumeAttachment: { '': 'The wish that a volume be attached to a node; its deletion is the wish that it be detached.' },
  VolumeAttachmentSpec: {
    '': 'Which volume, where to, by whom.',
    attacher: 'The driver that has to do it.',
    source: 'The volume.',
    nodeName: 'The node.',
  },
  VolumeAttachmentSource: {
    '': 'The volume: one of its members.',
    persistentVolumeName: 'A PersistentVolume.',
    inlineVolumeSpec: 'A volume written in a pod, translated by the migration of old plug-ins.',
  },
  VolumeAttachmentStatus: {
    '': 'What the driver has done.',
    attached: 'Whether it is attached. Only whoever attaches says so.',
    attachmentMetadata: 'What the driver tells those who mount it; filled with the attachment.',
    attachError: 'Why the last try to attach failed.',
    detachError: 'Why the last try to detach failed.',
  },
  VolumeError: { '': 'A failed try.', time: 'When.', message: 'Why; may be logged, so nothing secret.' },
};
