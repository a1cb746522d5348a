/** Printer columns of ResourceQuotas. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import type { ResourceQuota } from './shape.ts';

/** The status counts: limits in the spec are not in force before the controller has copied them. */
function usage({ status: { hard = {}, used = {} } }: ResourceQuota, limits: boolean): string {
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits.') === limits)
    .sort(compareText)
    .map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`)
    .join(', ');
}

export const resourceQuotaColumns: readonly ColumnOf<ResourceQuota>[] = [
  nameColumn,
  ageColumn,
  {
    name: 'Request',
    type: 'string',
    description: 'Usage and limit of requests and counts.',
    priority: 0,
    cell: (object) => usage(object, false),
  },
  { name: 'Limit', type: 'string', description: 'Usage and limit of limits.', priority: 0, cell: (object) => usage(object, true) },
];
