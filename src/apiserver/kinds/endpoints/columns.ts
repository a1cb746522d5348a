/** A Endpoints as a table prints it. */
import { ageColumn, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Endpoints } from './shape.ts';

/** At most three, and how many more. */
function summary({ subsets = [] }: Endpoints): string {
  const max = 3;
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
  );
  // Without a ready address there are subsets, but nothing to say of them.
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
