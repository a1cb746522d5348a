/** Where the specification asks more of a VolumeAttachment than v1.24 does. Source: resource-api.md, "VolumeAttachment". */
import { absentErrors, type Rule } from '../../vocabulary/index.ts';
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
    // What is created has its status from the server, whatever the document says.
    check: (_, { sent, subresource }) => (subresource === 'status' ? absentErrors(sent, ['status?', 'attached']) : []),
  },
];
