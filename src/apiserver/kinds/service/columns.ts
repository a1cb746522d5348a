/** Printer columns of Services. */
import { formatLabelSelection, parseLabelSelector } from '../../../schema/values/index.ts';
import { ageColumn, balancerPoints, type ColumnOf, nameColumn, wideColumn, column } from '../../machinery/index.ts';
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
  column('Type', 'string', 'How the service is exposed.', (object) => object.spec.type),
  column('Cluster-IP', 'string', 'Address inside the cluster.', (object) => orNone(object.spec.clusterIPs?.[0])),
  column('External-IP', 'string', 'Addresses outside the cluster.', (object) => externalAddress(object)),
  column('Port(s)', 'string', 'Ports the service listens on.', (object) => portsCell(object.spec.ports)),
  ageColumn,
  wideColumn('Selector', 'string', 'Labels of the pods behind the service.', (object) => selectorCell(object.spec.selector)),
];
