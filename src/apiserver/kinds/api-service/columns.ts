/** Printer columns of APIServices. */
import { ageColumn, type ColumnOf, nameColumn, namespacedName } from '../../machinery/index.ts';
import type { APIService } from './shape.ts';

const available = (apiService: APIService): string => {
  const found = (apiService.status.conditions ?? []).find(({ type }) => type === 'Available');
  if (found === undefined) return 'Unknown';
  return found.status === 'True' || found.reason === undefined ? found.status : `${found.status} (${found.reason})`;
};

export const apiServiceColumns: readonly ColumnOf<APIService>[] = [
  nameColumn,
  {
    name: 'Service',
    type: 'string',
    description: 'Service behind it, or Local.',
    priority: 0,
    cell: (object) => {
      const { service } = object.spec;
      return service === undefined ? 'Local' : namespacedName(service);
    },
  },
  { name: 'Available', type: 'string', description: 'Whether the service responds.', priority: 0, cell: (object) => available(object) },
  ageColumn,
];
