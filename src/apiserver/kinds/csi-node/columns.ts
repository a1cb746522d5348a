/** Printer columns of CSINodes. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { driversOf } from './rules.ts';
import type { CSINode } from './shape.ts';

export const csiNodeColumns: readonly ColumnOf<CSINode>[] = [
  nameColumn,
  {
    name: 'Drivers',
    type: 'integer',
    description: 'Number of drivers on the node.',
    priority: 0,
    cell: (object) => driversOf(object).length,
  },
  ageColumn,
];
