/** Printer columns of NetworkPolicies. */
import { formatLabelSelector } from '../../../schema/values/index.ts';
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { NetworkPolicy } from './shape.ts';

export const networkPolicyColumns: readonly ColumnOf<NetworkPolicy>[] = [
  nameColumn,
  {
    name: 'Pod-Selector',
    type: 'string',
    description: 'Pods that the policy applies to.',
    priority: 0,
    cell: (object) => formatLabelSelector(object.spec.podSelector),
  },
  ageColumn,
];
