/** Printer columns of DaemonSets. */
import { formatLabelSelector } from '../../../schema/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
import type { DaemonSet, DaemonSetStatus } from './shape.ts';

const count = (name: string, description: string, of: (status: DaemonSetStatus) => number | undefined): ColumnOf<DaemonSet> => ({
  name,
  type: 'integer',
  description,
  priority: 0,
  cell: ({ status }) => of(status) ?? 0,
});

export const daemonSetColumns: readonly ColumnOf<DaemonSet>[] = [
  nameColumn,
  count('Desired', 'How many nodes fit, and are to have a pod each.', (status) => status.desiredNumberScheduled),
  count('Current', 'How many of these have one.', (status) => status.currentNumberScheduled),
  count('Ready', 'On how many of these it is ready.', (status) => status.numberReady),
  count('Up-to-date', 'On how many of these it is made of the present template.', (status) => status.updatedNumberScheduled),
  count('Available', 'On how many of these it has been ready for at least minReadySeconds.', (status) => status.numberAvailable),
  {
    name: 'Node Selector',
    type: 'string',
    description: 'Labels that a node must have for a pod of the template.',
    priority: 0,
    cell: ({ spec }) => formatLabelSelector({ matchLabels: spec.template.spec.nodeSelector ?? {} }),
  },
  ageColumn,
  ...templateColumns<DaemonSet>(({ spec }) => spec.template),
  selectorColumn<DaemonSet>(({ spec }) => spec.selector),
];
