/** Printer columns of ReplicaSets. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
import type { ReplicaSet } from './shape.ts';

export const replicaSetColumns: readonly ColumnOf<ReplicaSet>[] = [
  nameColumn,
  { name: 'Desired', type: 'integer', description: 'Desired pods.', priority: 0, cell: ({ spec }) => spec.replicas },
  { name: 'Current', type: 'integer', description: 'Existing pods.', priority: 0, cell: ({ status }) => status.replicas },
  { name: 'Ready', type: 'integer', description: 'Ready pods.', priority: 0, cell: ({ status }) => status.readyReplicas ?? 0 },
  ageColumn,
  ...templateColumns<ReplicaSet>(({ spec }) => spec.template),
  selectorColumn<ReplicaSet>(({ spec }) => spec.selector),
];
