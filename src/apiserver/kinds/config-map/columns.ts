/** Printer columns of ConfigMaps. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { ConfigMap } from './shape.ts';

export const configMapColumns: readonly ColumnOf<ConfigMap>[] = [
  nameColumn,
  {
    name: 'Data',
    type: 'string',
    description: 'Number of entries.',
    priority: 0,
    cell: (object) => Object.keys(object.data ?? {}).length + Object.keys(object.binaryData ?? {}).length,
  },
  ageColumn,
];
