/** Printer columns of VolumeAttachments. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { VolumeAttachment } from './shape.ts';

export const volumeAttachmentColumns: readonly ColumnOf<VolumeAttachment>[] = [
  nameColumn,
  {
    name: 'Attacher',
    type: 'string',
    format: 'name',
    description: 'Driver that attaches.',
    priority: 0,
    cell: (object) => object.spec.attacher,
  },
  {
    name: 'PV',
    type: 'string',
    description: 'Volume to attach.',
    priority: 0,
    cell: (object) => object.spec.source.persistentVolumeName ?? '',
  },
  {
    name: 'Node',
    type: 'string',
    description: 'Node to attach it to.',
    priority: 0,
    cell: (object) => object.spec.nodeName,
  },
  {
    name: 'Attached',
    type: 'boolean',
    description: 'Whether the volume is attached.',
    priority: 0,
    cell: (object) => object.status.attached,
  },
  ageColumn,
];
