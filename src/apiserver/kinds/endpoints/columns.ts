/** Printer columns of Endpoints. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Endpoints } from './shape.ts';

/** Returns at most three addresses, and the number of further ones. */
function summary({ subsets = [] }: Endpoints): string {
  const max = 3;
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
  );
  // Without a ready address the column is empty, although there are subsets.
  if (subsets.length === 0) return '<none>';
  return all.slice(0, max).join(',') + (all.length > max ? ` + ${all.length - max} more...` : '');
}

export const endpointsColumns: readonly ColumnOf<Endpoints>[] = [
  nameColumn,
  {
    name: 'Endpoints',
    type: 'string',
    description: 'Addresses and ports behind the service.',
    priority: 0,
    cell: (object) => summary(object),
  },
  ageColumn,
];
