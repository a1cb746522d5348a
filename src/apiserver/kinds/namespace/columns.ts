/** Printer columns of Namespaces. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Namespace } from './shape.ts';

export const namespaceColumns: readonly ColumnOf<Namespace>[] = [
  nameColumn,
  { name: 'Status', type: 'string', description: 'Phase of the namespace.', priority: 0, cell: (object) => object.status.phase },
  ageColumn,
];
