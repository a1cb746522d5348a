/** Printer columns of ServiceAccounts. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { ServiceAccount } from './shape.ts';

export const serviceAccountColumns: readonly ColumnOf<ServiceAccount>[] = [
  nameColumn,
  {
    name: 'Secrets',
    type: 'string',
    description: 'Number of secrets of the account.',
    priority: 0,
    cell: (object: ServiceAccount) => (object.secrets ?? []).length,
  },
  ageColumn,
];
