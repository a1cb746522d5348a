/** A Deployment as a table prints it. */
import { formatLabelSelector } from '../../../grammar/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn } from '../../vocabulary/index.ts';
import { containerNames, imageNames } from '../pod/columns.ts';
import type { Deployment } from './shape.ts';

export const deploymentColumns: readonly ColumnOf<Deployment>[] = [
  nameColumn,
  {
    name: 'Ready',
    type: 'string',
    description: 'How many pods are ready, of those wanted.',
    priority: 0,
    cell: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas}`,
  },
  {
    name: 'Up-to-date',
    type: 'string',
    description: 'How many pods are made of the present template.',
    priority: 0,
    cell: ({ status }) => status.updatedReplicas ?? 0,
  },
  {
    name: 'Available',
    type: 'string',
    description: 'How many pods have been ready for at least minReadySeconds.',
    priority: 0,
    cell: ({ status }) => status.availableReplicas ?? 0,
  },
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
