/** Printer columns of Ingresses. */
import { ageColumn, balancerPoints, type ColumnOf, nameColumn } from '../../machinery/index.ts';
import type { Ingress } from './shape.ts';

const MOST_HOSTS = 3;

/** Returns the first three hosts, and the number of rules beyond three. */
function hosts({ spec: { rules = [] } }: Ingress): string {
  const shown: string[] = [];
  let more = false;
  for (const { host = '' } of rules) {
    if (shown.length === MOST_HOSTS) more = true;
    else if (host !== '') shown.push(host);
  }
  if (shown.length === 0) return '*';
  return shown.join(',') + (more ? ` + ${rules.length - MOST_HOSTS} more...` : '');
}

export const ingressColumns: readonly ColumnOf<Ingress>[] = [
  nameColumn,
  {
    name: 'Class',
    type: 'string',
    description: 'Class that implements it.',
    priority: 0,
    cell: (object) => object.spec.ingressClassName ?? '<none>',
  },
  {
    name: 'Hosts',
    type: 'string',
    description: 'Host names of its rules.',
    priority: 0,
    cell: (object) => hosts(object),
  },
  {
    name: 'Address',
    type: 'string',
    description: 'Addresses of its load balancer.',
    priority: 0,
    cell: (object) => balancerPoints(object.status.loadBalancer).join(','),
  },
  {
    name: 'Ports',
    type: 'string',
    description: 'Open ports, with 443 for TLS.',
    priority: 0,
    cell: (object) => ((object.spec.tls ?? []).length > 0 ? '80, 443' : '80'),
  },
  ageColumn,
];
