/** Printer columns of Services. */
import { formatLabelSelection, parseLabelSelector } from '../../../schema/values/index.ts';
import { ageColumn, balancerPoints, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Service, ServicePort } from './shape.ts';

const orNone = (text: string | undefined): string => (text === undefined || text === '' ? '<none>' : text);

function externalAddress({ spec, status }: Service): string {
  const given = spec.externalIPs ?? [];
  switch (spec.type) {
    case 'LoadBalancer': {
      const balanced = [...balancerPoints(status.loadBalancer), ...given];
      return balanced.length === 0 ? '<pending>' : balanced.join(',');
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return orNone(given.join(','));
  }
}

const portsCell = (ports: readonly ServicePort[] | undefined): string =>
  orNone(
    (ports ?? [])
      .map(({ port, nodePort, protocol }) => (nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`))
      .join(','),
  );

function selectorCell(selector: Readonly<Record<string, string>> | undefined): string {
  const parsed = parseLabelSelector(
    Object.entries(selector ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(','),
  );
  return parsed.error === undefined ? orNone(formatLabelSelection(parsed.value)) : '<error>';
}

export const serviceColumns: readonly ColumnOf<Service>[] = [
  nameColumn,
  { name: 'Type', type: 'string', description: 'How the service is exposed.', priority: 0, cell: (object) => object.spec.type },
  {
    name: 'Cluster-IP',
    type: 'string',
    description: 'Address inside the cluster.',
    priority: 0,
    cell: (object) => orNone(object.spec.clusterIPs?.[0]),
  },
  {
    name: 'External-IP',
    type: 'string',
    description: 'Addresses outside the cluster.',
    priority: 0,
    cell: (object) => externalAddress(object),
  },
  {
    name: 'Port(s)',
    type: 'string',
    description: 'Ports the service listens on.',
    priority: 0,
    cell: (object) => portsCell(object.spec.ports),
  },
  ageColumn,
  {
    name: 'Selector',
    type: 'string',
    description: 'Labels of the pods behind the service.',
    priority: 1,
    cell: (object) => selectorCell(object.spec.selector),
  },
];
