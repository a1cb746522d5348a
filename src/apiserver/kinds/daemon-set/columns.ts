/** Printer columns of DaemonSets. */
import { formatLabelSelector } from '../../../schema/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn, column } from '../../machinery/index.ts';
import { selectorColumn, templateColumns } from '../pod/template-columns.ts';
import type { DaemonSet, DaemonSetStatus } from './shape.ts';

const count = (name: string, description: string, of: (status: DaemonSetStatus) => number | undefined): ColumnOf<DaemonSet> =>
  column(name, 'integer', description, ({ status }) => of(status) ?? 0);

export const daemonSetColumns: readonly ColumnOf<DaemonSet>[] = [
  nameColumn,
  count('Desired', 'Suitable nodes, which should have a pod each.', (status) => status.desiredNumberScheduled),
  count('Current', 'Suitable nodes with a pod.', (status) => status.currentNumberScheduled),
  count('Ready', 'Suitable nodes with a ready pod.', (status) => status.numberReady),
  count('Up-to-date', 'Suitable nodes with a pod of the current template.', (status) => status.updatedNumberScheduled),
  count('Available', 'Suitable nodes with a pod that has been ready for at least minReadySeconds.', (status) => status.numberAvailable),
  column('Node Selector', 'string', 'Labels that a node must have for a pod of the template.', ({ spec }) =>
    formatLabelSelector({ matchLabels: spec.template.spec.nodeSelector ?? {} }),
  ),
  ageColumn,
  ...templateColumns<DaemonSet>(({ spec }) => spec.template),
  selectorColumn<DaemonSet>(({ spec }) => spec.selector),
];
