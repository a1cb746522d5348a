/** Printer columns of StatefulSets. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { templateColumns } from '../pod/template-columns.ts';
import type { StatefulSet } from './shape.ts';

export const statefulSetColumns: readonly ColumnOf<StatefulSet>[] = [
  nameColumn,
  {
    name: 'Ready',
    type: 'string',
    description: 'Ready pods, and the desired number.',
    priority: 0,
    cell: (object) => `${object.status.readyReplicas ?? 0}/${object.spec.replicas}`,
  },
  ageColumn,
  ...templateColumns<StatefulSet>(({ spec }) => spec.template),
];
