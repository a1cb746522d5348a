/** Rules of the specification for VolumeAttachments that v1.24 does not have. Source: resource-api.md, "VolumeAttachment". */
import { absentErrors, type Rule } from '../../machinery/index.ts';
import type { VolumeAttachment } from './shape.ts';

const PLACE = 'resource-api.md: VolumeAttachment';

export const volumeAttachmentSpecification: readonly Rule<VolumeAttachment>[] = [
  {
    name: 'volume-attachment/attached-or-not',
    kind: 'VolumeAttachment',
    field: 'status.attached',
    statement: 'A status sets attached.',
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
    statement: 'attachmentMetadata is set when the attach succeeds.',
    place: 'resource-api.md: VolumeAttachment, status.attachmentMetadata; States and transitions',
    recorded: 'sets the metadata that the driver returned, and omits the field where there is none',
    does: 'interpreted as v1.24 does, in either mode: the metadata is that of the driver, and most drivers return none',
  },
];
