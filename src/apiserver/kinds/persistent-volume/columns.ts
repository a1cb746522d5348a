/** Printer columns of PersistentVolumes. */
import { ageColumn, type ColumnOf, nameColumn, namespacedName } from '../../machinery/index.ts';
import { shortAccessModes } from '../persistent-volume-claim/columns.ts';
import type { PersistentVolume } from './shape.ts';

const claimOf = ({ spec: { claimRef } }: PersistentVolume): string => (claimRef === undefined ? '' : namespacedName(claimRef));

export const persistentVolumeColumns: readonly ColumnOf<PersistentVolume>[] = [
  nameColumn,
  {
    name: 'Capacity',
    type: 'string',
    description: 'Size of the volume.',
    priority: 0,
    cell: (object) => object.spec.capacity?.['storage'] ?? '',
  },
  {
    name: 'Access Modes',
    type: 'string',
    description: 'Access modes of the volume.',
    priority: 0,
    cell: (object) => shortAccessModes(object.spec.accessModes),
  },
  {
    name: 'Reclaim Policy',
    type: 'string',
    description: 'Handling of the volume after its claim is deleted.',
    priority: 0,
    cell: (object) => object.spec.persistentVolumeReclaimPolicy,
  },
  {
    name: 'Status',
    type: 'string',
    description: 'Whether the volume is available, bound or released.',
    priority: 0,
    cell: (object) => (object.metadata.deletionTimestamp === undefined ? object.status.phase : 'Terminating'),
  },
  { name: 'Claim', type: 'string', description: 'Claim the volume is bound to.', priority: 0, cell: (object) => claimOf(object) },
  {
    name: 'StorageClass',
    type: 'string',
    description: 'Class of the volume.',
    priority: 0,
    cell: (object, { names }) =>
      object.metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? object.spec.storageClassName ?? '',
  },
  {
    name: 'Reason',
    type: 'string',
    description: 'Reason of a failed volume.',
    priority: 0,
    cell: (object) => object.status.reason ?? '',
  },
  ageColumn,
  {
    name: 'VolumeMode',
    type: 'string',
    description: 'File system or raw block device.',
    priority: 1,
    cell: (object) => object.spec.volumeMode ?? '<unset>',
  },
];
