/** Rules of the specification for VolumeAttachments that v1.24 does not have. Source: resource-api.md, "VolumeAttachment". */
import { absentErrors, type Rule } from '../../machinery/index.ts';
import type { VolumeAttachment } from './shape.ts';

const PLACE = 'resource-api.md: VolumeAttachment';

export const volumeAttachmentSpecification: readonly Rule<VolumeAttachment>[] = [
  {
    name: 'volume-attachment/attached-or-not',
    kind: 'VolumeAttachment',
    field: 'status.attached',
    statement: 'A status says whether the volume is attached.',
    place: `${PLACE}, status.attached`,
    recorded: 'fills in false',
    member: 'status',
    asSent: true,
    // The server sets the status of a new object, whatever its document has.
    check: (_, { sent, subresource }) => (subresource === 'status' ? absentErrors(sent, ['status?', 'attached']) : []),
  },
  {
    name: 'volume-attachment/metadata-where-there-is-some',
    kind: 'VolumeAttachment',
    field: 'status.attachmentMetadata',
    statement: 'Metadata is filled in when the attach succeeds.',
    place: 'resource-api.md: VolumeAttachment, status.attachmentMetadata; States and transitions',
    recorded: 'fills in what the driver answered, and leaves the member out where that is nothing',
    does: 'read as v1.24 does, in either mode: what is passed on is what the driver says, and most say nothing',
  },
];
