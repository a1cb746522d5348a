/** Protobuf field numbers of VolumeAttachments, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const volumeAttachmentWire: Wire = {
  VolumeAttachment: 'metadata=1 spec=2 status=3',
  VolumeAttachmentSource: 'persistentVolumeName=1 inlineVolumeSpec=2',
  VolumeAttachmentSpec: 'attacher=1 source=2 nodeName=3',
  VolumeAttachmentStatus: 'attached=1 attachmentMetadata=2 attachError=3 detachError=4',
  VolumeError: 'time=1 message=2',
};
