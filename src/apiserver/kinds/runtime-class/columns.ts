/** Printer columns of RuntimeClasses. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { RuntimeClass } from './shape.ts';

export const runtimeClassColumns: readonly ColumnOf<RuntimeClass>[] = [
  nameColumn,
  {
    name: 'Handler',
    type: 'string',
    description: 'Runtime and configuration of the class.',
    priority: 0,
    cell: (object) => object.handler,
  },
  ageColumn,
];
