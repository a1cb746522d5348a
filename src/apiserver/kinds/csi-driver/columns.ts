/** Printer columns of CSIDrivers. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { CSIDriver } from './shape.ts';

export const csiDriverColumns: readonly ColumnOf<CSIDriver>[] = [
  nameColumn,
  {
    name: 'AttachRequired',
    type: 'boolean',
    description: 'Whether the driver needs an attach operation.',
    priority: 0,
    cell: (object) => object.spec.attachRequired,
  },
  {
    name: 'PodInfoOnMount',
    type: 'boolean',
    description: 'Whether the driver is told about the pod it mounts for.',
    priority: 0,
    cell: (object) => object.spec.podInfoOnMount,
  },
  {
    name: 'StorageCapacity',
    type: 'boolean',
    description: 'Whether scheduling considers the capacity the driver reports.',
    priority: 0,
    cell: (object) => object.spec.storageCapacity,
  },
  {
    name: 'TokenRequests',
    type: 'string',
    description: 'Audiences the driver needs tokens for.',
    priority: 0,
    cell: (object) => object.spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  },
  {
    name: 'RequiresRepublish',
    type: 'boolean',
    description: 'Whether mounted volumes are published again and again.',
    priority: 0,
    cell: (object) => object.spec.requiresRepublish,
  },
  {
    name: 'Modes',
    type: 'string',
    description: 'Kinds of volumes the driver supports.',
    priority: 0,
    cell: (object) => (object.spec.volumeLifecycleModes ?? []).join(',') || '<none>',
  },
  ageColumn,
];
