/** Printer columns of Deployments. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
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
  ...templateColumns<Deployment>(({ spec }) => spec.template),
  selectorColumn<Deployment>(({ spec }) => spec.selector),
];
