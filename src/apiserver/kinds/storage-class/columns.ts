/** Printer columns of StorageClasses. */
import { ageColumn, type ColumnOf, nameColumn, type Names } from '../../machinery/index.ts';
import type { StorageClass } from './shape.ts';

/** Whether a class is marked as the default, by the current annotation or by the older one. */
export const isDefaultStorageClass = ({ metadata: { annotations = {} } }: Pick<StorageClass, 'metadata'>, names: Names): boolean =>
  ['storageclass', 'storageclass.beta'].some((prefix) => annotations[names.key(prefix, 'is-default-class')] === 'true');

export const storageClassColumns: readonly ColumnOf<StorageClass>[] = [
  {
    ...nameColumn,
    cell: (object, { names }) => (isDefaultStorageClass(object, names) ? `${object.metadata.name} (default)` : object.metadata.name),
  },
  {
    name: 'Provisioner',
    type: 'string',
    description: 'Driver that creates the volumes.',
    priority: 0,
    cell: (object) => object.provisioner,
  },
  {
    name: 'ReclaimPolicy',
    type: 'string',
    description: 'Handling of a volume after its claim is deleted.',
    priority: 0,
    cell: (object) => object.reclaimPolicy,
  },
  {
    name: 'VolumeBindingMode',
    type: 'string',
    description: 'When claims are bound.',
    priority: 0,
    cell: (object) => object.volumeBindingMode,
  },
  {
    name: 'AllowVolumeExpansion',
    type: 'string',
    description: 'Whether volumes may be expanded.',
    priority: 0,
    cell: (object) => object.allowVolumeExpansion ?? false,
  },
  ageColumn,
];
