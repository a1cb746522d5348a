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
  column('Class', 'string', 'Class that carries it out.', (object) => object.spec.ingressClassName ?? '<none>'),
  column('Hosts', 'string', 'Host names that its rules are for.', (object) => hosts(object)),
  column('Address', 'string', 'Where it can be reached.', (object) => balancerPoints(object.status.loadBalancer).join(',')),
  column('Ports', 'string', 'Ports that are open, 443 among them with TLS.', (object) =>
    (object.spec.tls ?? []).length > 0 ? '80, 443' : '80',
  ),
  ageColumn,
];
