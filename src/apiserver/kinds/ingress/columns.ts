/** Printer columns of Ingresses. */
import { ageColumn, balancerPoints, type ColumnOf, nameColumn, column } from '../../machinery/index.ts';
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
  column('Class', 'string', 'Class that implements it.', (object) => object.spec.ingressClassName ?? '<none>'),
  column('Hosts', 'string', 'Host names of its rules.', (object) => hosts(object)),
  column('Address', 'string', 'Addresses of its load balancer.', (object) => balancerPoints(object.status.loadBalancer).join(',')),
  column('Ports', 'string', 'Open ports, with 443 for TLS.', (object) => ((object.spec.tls ?? []).length > 0 ? '80, 443' : '80')),
  ageColumn,
];
