/** A valid VolumeAttachment, filled well enough that its rules have something to look at. */
import type { Example } from '../../machinery/index.ts';

export const volumeAttachmentExample: Example = {
  fields: () => ({ spec: { attacher: 'disk.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } }),
};
