/** A StatefulSet as a table prints it. */
import { ageColumn, type ColumnOf, nameColumn } from '../../vocabulary/index.ts';
import { containerNames, imageNames } from '../pod/columns.ts';
import type { StatefulSet } from './shape.ts';

export const statefulSetColumns: readonly ColumnOf<StatefulSet>[] = [
  nameColumn,
  {
    name: 'Ready',
    type: 'string',
    description: 'How many pods are ready, of those wanted.',
    priority: 0,
    cell: (object) => `${object.status.readyReplicas ?? 0}/${object.spec.replicas}`,
  },
  ageColumn,
  {
    name: 'Containers',
    type: 'string',
    description: 'Names of the containers in the template.',
    priority: 1,
    cell: (object) => containerNames(object.spec.template.spec),
  },
  {
    name: 'Images',
    type: 'string',
    description: 'Images of the containers in the template.',
    priority: 1,
    cell: (object) => imageNames(object.spec.template.spec),
  },
];
