/** Printer columns of Deployments. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
import type { Deployment } from './shape.ts';

export const deploymentColumns: readonly ColumnOf<Deployment>[] = [
  nameColumn,
  {
    name: 'Ready',
    type: 'string',
    description: 'Ready pods, and the desired number.',
    priority: 0,
    cell: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas}`,
  },
  {
    name: 'Up-to-date',
    type: 'string',
    description: 'Pods of the current template.',
    priority: 0,
    cell: ({ status }) => status.updatedReplicas ?? 0,
  },
  {
    name: 'Available',
    type: 'string',
    description: 'Pods that have been ready for at least minReadySeconds.',
    priority: 0,
    cell: ({ status }) => status.availableReplicas ?? 0,
  },
  ageColumn,
  ...templateColumns<Deployment>(({ spec }) => spec.template),
  selectorColumn<Deployment>(({ spec }) => spec.selector),
];
