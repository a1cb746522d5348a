/** Printer columns of Leases. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Lease } from './shape.ts';

export const leaseColumns: readonly ColumnOf<Lease>[] = [
  nameColumn,
  {
    name: 'Holder',
    type: 'string',
    description: 'Holder of the lease.',
    priority: 0,
    cell: (object) => object.spec.holderIdentity ?? '',
  },
  ageColumn,
];
