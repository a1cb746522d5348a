/** Rules of the specification for Ingress that v1.24 does not have, about the ports in its status. Source: resource-api.md, "Ingress". */
import {
  type FieldError,
  invalid,
  isCamelCaseOfDomain,
  protocolErrors,
  required,
  type Rule,
  type RuleFacts,
} from '../../machinery/index.ts';
import type { Service } from '../service/shape.ts';
import type { Ingress } from './shape.ts';

const PLACE = 'resource-api.md: Ingress, IngressStatus';

type Point = NonNullable<Ingress['status']['loadBalancer']['ingress']>[number];
type PortStatus = NonNullable<Point['ports']>[number];

const pointsOf = ({ status }: Ingress): readonly Point[] => status.loadBalancer.ingress ?? [];

const ofEachPort = (ingress: Ingress, judge: (port: PortStatus, field: string) => readonly FieldError[]): readonly FieldError[] =>
  pointsOf(ingress).flatMap(({ ports }, at) =>
    (ports ?? []).flatMap((port, i) => judge(port, `status.loadBalancer.ingress[${at}].ports[${i}]`)),
  );

/** Returns the ports of the backend services that exist: `TCP/80`. */
function servicePorts({ metadata: { namespace }, spec }: Ingress, { find }: RuleFacts): ReadonlySet<string> {
  const backends = [spec.defaultBackend, ...(spec.rules ?? []).flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend))];
  const names = new Set(backends.flatMap((backend) => (backend?.service === undefined ? [] : [backend.service.name])));
  const services = [...names].map((name) => find('Service', namespace, name) as Service | undefined);
  return new Set(services.flatMap((service) => (service?.spec.ports ?? []).map(({ protocol, port }) => `${protocol}/${port}`)));
}

export const ingressSpecification: readonly Rule<Ingress>[] = [
  {
    name: 'ingress/port-protocols',
    kind: 'Ingress',
    field: 'status.loadBalancer.ingress[].ports[].protocol, .port',
    statement: 'The status of a port contains the port and its protocol: TCP, UDP or SCTP.',
    place: `${PLACE}, PortStatus port, protocol`,
    recorded: 'accepts any text, and none',
    member: 'status',
    check: (ingress) =>
      ofEachPort(ingress, ({ port, protocol }, field) => [
        ...(port === 0 ? [required(`${field}.port`)] : []),
        ...protocolErrors(protocol, `${field}.protocol`),
      ]),
  },
  {
    name: 'ingress/port-errors',
    kind: 'Ingress',
    field: 'status.loadBalancer.ingress[].ports[].error',
    statement: 'The error of a port is one CamelCase word, with a domain as prefix where a provider defines it.',
    place: `${PLACE}, PortStatus error`,
    recorded: 'accepts any text',
    member: 'status',
    check: (ingress) =>
      ofEachPort(ingress, ({ error = '' }, field) =>
        error === '' || isCamelCaseOfDomain(error)
          ? []
          : [invalid(`${field}.error`, error, "must be one word in CamelCase, or that behind a domain, as in 'example.com/QuotaExceeded'")],
      ),
  },
  {
    name: 'ingress/every-port-has-an-entry',
    kind: 'Ingress',
    field: 'status.loadBalancer.ingress[].ports',
    statement: 'Where the status lists ports, it lists every port of the backend services.',
    place: `${PLACE}, LoadBalancerIngress ports`,
    recorded: 'accepts any subset of them',
    member: 'status',
    check(ingress, facts) {
      if (!pointsOf(ingress).some(({ ports }) => (ports?.length ?? 0) > 0)) return [];
      const wanted = servicePorts(ingress, facts);
      return pointsOf(ingress).flatMap(({ ports }, at) => {
        if ((ports?.length ?? 0) === 0) return [];
        const reported = new Set((ports ?? []).map(({ protocol, port }) => `${protocol}/${port}`));
        const missing = [...wanted].filter((port) => !reported.has(port));
        return missing.map((port) => required(`status.loadBalancer.ingress[${at}].ports`, `must have an entry for ${port} of the service`));
      });
    },
  },
];
