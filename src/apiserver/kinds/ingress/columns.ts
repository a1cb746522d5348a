/** A Ingress as a table prints it. */
import { ageColumn, balancerPoints, type ColumnOf, nameColumn } from '../../vocabulary/index.ts';
import type { Ingress } from './shape.ts';

const MOST_HOSTS = 3;

/** The first three hosts, and how many rules there are beyond three where more follow. */
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
    description: 'The name of the IngressClass resource that should be used for additional configuration',
    priority: 0,
    cell: (object) => object.spec.ingressClassName ?? '<none>',
  },
  {
    name: 'Hosts',
    type: 'string',
    description: 'Hosts that incoming requests are matched against before the ingress rule',
    priority: 0,
    cell: (object) => hosts(object),
  },
  {
    name: 'Address',
    type: 'string',
    description: 'Address is a list containing ingress points for the load-balancer',
    priority: 0,
    cell: (object) => balancerPoints(object.status.loadBalancer).join(','),
  },
  {
    name: 'Ports',
    type: 'string',
    description: 'Ports of TLS configurations that open',
    priority: 0,
    cell: (object) => ((object.spec.tls ?? []).length > 0 ? '80, 443' : '80'),
  },
  ageColumn,
];
