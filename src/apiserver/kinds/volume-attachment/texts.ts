/** Descriptions of VolumeAttachments and their fields, in our words. Source: spec, "VolumeAttachment". */
import type { Texts } from '../../machinery/index.ts';

export const volumeAttachmentTexts: Texts = {
  VolumeAttachment: { '': 'Requests that a volume is attached to a node; its deletion requests the detachment.' },
  VolumeAttachmentSpec: {
    '': 'The volume, the node, and the driver.',
    attacher: 'The driver.',
    source: 'The volume.',
    nodeName: 'The node.',
  },
  VolumeAttachmentSource: {
    '': 'The volume: exactly one of its members.',
    persistentVolumeName: 'A PersistentVolume.',
    inlineVolumeSpec: 'An inline volume of a pod, translated by CSI migration.',
  },
  VolumeAttachmentStatus: {
    '': 'The observed state.',
    attached: 'Whether it is attached; set only by the attacher.',
    attachmentMetadata: 'Data of the driver for mounting; set when it is attached.',
    attachError: 'The error of the last attempt to attach.',
    detachError: 'The error of the last attempt to detach.',
  },
  VolumeError: {
    '': 'A failed attempt.',
    time: 'The time of the attempt.',
    message: 'The error; it may be logged, so it must not be confidential.',
  },
};
