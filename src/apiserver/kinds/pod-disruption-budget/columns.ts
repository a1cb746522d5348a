/** Printer columns of PodDisruptionBudgets. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { PodDisruptionBudget } from './shape.ts';

export const podDisruptionBudgetColumns: readonly ColumnOf<PodDisruptionBudget>[] = [
  nameColumn,
  {
    name: 'Min Available',
    type: 'string',
    description: 'Pods that must stay available.',
    priority: 0,
    cell: (object) => String(object.spec.minAvailable ?? 'N/A'),
  },
  {
    name: 'Max Unavailable',
    type: 'string',
    description: 'Pods that may be unavailable.',
    priority: 0,
    cell: (object) => String(object.spec.maxUnavailable ?? 'N/A'),
  },
  {
    name: 'Allowed Disruptions',
    type: 'integer',
    description: 'Disruptions that are allowed now.',
    priority: 0,
    cell: (object) => object.status.disruptionsAllowed,
  },
  ageColumn,
];
