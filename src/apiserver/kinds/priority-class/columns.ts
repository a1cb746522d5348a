/** Printer columns of PriorityClasses. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { PriorityClass } from './shape.ts';

export const priorityClassColumns: readonly ColumnOf<PriorityClass>[] = [
  nameColumn,
  { name: 'Value', type: 'integer', description: 'Priority of pods of the class.', priority: 0, cell: (object) => object.value },
  {
    name: 'Global-Default',
    type: 'boolean',
    description: 'Whether it is the class of pods without one.',
    priority: 0,
    cell: (object) => object.globalDefault ?? false,
  },
  ageColumn,
];
