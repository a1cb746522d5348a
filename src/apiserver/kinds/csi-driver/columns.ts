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
    description: 'Whether mount calls describe the pod.',
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
    description: 'Audiences of the tokens for the driver.',
    priority: 0,
    cell: (object) => object.spec.tokenRequests?.map(({ audience }) => audience).join(',') ?? '<unset>',
  },
  {
    name: 'RequiresRepublish',
    type: 'boolean',
    description: 'Whether mounted volumes are published periodically.',
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
