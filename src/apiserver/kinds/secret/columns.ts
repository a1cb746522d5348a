/** Printer columns of Secrets. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Secret } from './shape.ts';

export const secretColumns: readonly ColumnOf<Secret>[] = [
  nameColumn,
  { name: 'Type', type: 'string', description: 'Purpose of the secret.', priority: 0, cell: (object) => object.type },
  { name: 'Data', type: 'string', description: 'Number of entries.', priority: 0, cell: (object) => Object.keys(object.data ?? {}).length },
  ageColumn,
];
