/** A ReplicaSet as a table prints it. */
import { formatLabelSelector } from '../../../grammar/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn } from '../../vocabulary/index.ts';
import { containerNames, imageNames } from '../pod/columns.ts';
import type { ReplicaSet } from './shape.ts';

export const replicaSetColumns: readonly ColumnOf<ReplicaSet>[] = [
  nameColumn,
  { name: 'Desired', type: 'integer', description: 'How many pods are wanted.', priority: 0, cell: ({ spec }) => spec.replicas },
  { name: 'Current', type: 'integer', description: 'How many pods there are.', priority: 0, cell: ({ status }) => status.replicas },
  { name: 'Ready', type: 'integer', description: 'How many are ready.', priority: 0, cell: ({ status }) => status.readyReplicas ?? 0 },
  ageColumn,
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of the containers in the template.',
    priority: 1,
    cell: ({ spec }) => containerNames(spec.template.spec),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images of the containers in the template.',
    priority: 1,
    cell: ({ spec }) => imageNames(spec.template.spec),
  },
  {
    name: 'Selector',
    type: 'string',
    description: 'Which pods count.',
    priority: 1,
    cell: ({ spec }) => formatLabelSelector(spec.selector),
  },
];
