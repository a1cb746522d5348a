/** Printer columns of PersistentVolumeClaims. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { PersistentVolumeClaim } from './shape.ts';

const SHORT: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Returns `RWO,ROX`, in a fixed order and without repetitions. */
export const shortAccessModes = (modes: readonly string[] | undefined): string =>
  SHORT.filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

export const persistentVolumeClaimColumns: readonly ColumnOf<PersistentVolumeClaim>[] = [
  nameColumn,
  {
    name: 'Status',
    type: 'string',
    description: 'Phase of the claim.',
    priority: 0,
    cell: (object) => (object.metadata.deletionTimestamp === undefined ? object.status.phase : 'Terminating'),
  },
  {
    name: 'Volume',
    type: 'string',
    description: 'Volume the claim is bound to.',
    priority: 0,
    cell: (object) => object.spec.volumeName ?? '',
  },
  {
    name: 'Capacity',
    type: 'string',
    description: 'Size of that volume.',
    priority: 0,
    cell: (object) => (object.spec.volumeName === undefined ? '' : (object.status.capacity?.['storage'] ?? '0')),
  },
  {
    name: 'Access Modes',
    type: 'string',
    description: 'Access modes of that volume.',
    priority: 0,
    cell: (object) => (object.spec.volumeName === undefined ? '' : shortAccessModes(object.status.accessModes)),
  },
  {
    name: 'StorageClass',
    type: 'string',
    description: 'Requested class.',
    priority: 0,
    cell: (object, { names }) =>
      object.metadata.annotations?.[names.key('volume.beta', 'storage-class')] ?? object.spec.storageClassName ?? '',
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
