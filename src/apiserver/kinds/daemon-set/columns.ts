/** Printer columns of DaemonSets. */
import { formatLabelSelector } from '../../../schema/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn, column } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
import type { DaemonSet, DaemonSetStatus } from './shape.ts';

const count = (name: string, description: string, of: (status: DaemonSetStatus) => number | undefined): ColumnOf<DaemonSet> =>
  column(name, 'integer', description, ({ status }) => of(status) ?? 0);

export const daemonSetColumns: readonly ColumnOf<DaemonSet>[] = [
  nameColumn,
  count('Desired', 'How many nodes fit, and are to have a pod each.', (status) => status.desiredNumberScheduled),
  count('Current', 'How many of these have one.', (status) => status.currentNumberScheduled),
  count('Ready', 'On how many of these it is ready.', (status) => status.numberReady),
  count('Up-to-date', 'On how many of these it is made of the present template.', (status) => status.updatedNumberScheduled),
  count('Available', 'On how many of these it has been ready for at least minReadySeconds.', (status) => status.numberAvailable),
  column('Node Selector', 'string', 'Labels that a node must have for a pod of the template.', ({ spec }) =>
    formatLabelSelector({ matchLabels: spec.template.spec.nodeSelector ?? {} }),
  ),
  ageColumn,
  ...templateColumns<DaemonSet>(({ spec }) => spec.template),
  selectorColumn<DaemonSet>(({ spec }) => spec.selector),
];
