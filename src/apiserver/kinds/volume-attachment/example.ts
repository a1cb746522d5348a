/** A valid VolumeAttachment in which most validation rules apply. */
import type { Example } from '../../machinery/index.ts';

export const volumeAttachmentExample: Example = {
  fields: () => ({ spec: { attacher: 'disk.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } }),
};
