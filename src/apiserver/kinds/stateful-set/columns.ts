/** Printer columns of StatefulSets. */
import { ageColumn, type ColumnOf, nameColumn, column } from '../../machinery/index.ts';
import { templateColumns } from '../pod/template-columns.ts';
import type { StatefulSet } from './shape.ts';

export const statefulSetColumns: readonly ColumnOf<StatefulSet>[] = [
  nameColumn,
  column(
    'Ready',
    'string',
    'Ready pods, and the desired number.',
    (object) => `${object.status.readyReplicas ?? 0}/${object.spec.replicas}`,
  ),
  ageColumn,
  ...templateColumns<StatefulSet>(({ spec }) => spec.template),
];
