/** Rules of the specification for Endpoints that v1.24 does not have. Source: resource-api.md, "Endpoints". */
import { appProtocolErrors, duplicate, type Rule } from '../../machinery/index.ts';
import type { Endpoints } from './shape.ts';

export const endpointsSpecification: readonly Rule<Endpoints>[] = [
  {
    name: 'endpoints/ready-or-not',
    kind: 'Endpoints',
    field: 'subsets[].notReadyAddresses',
    statement: 'No address is in both lists of a subset.',
    place: 'resource-api.md: Endpoints, subsets.notReadyAddresses',
    recorded: 'takes it in both',
    member: 'subsets',
    check: ({ subsets }) =>
      (subsets ?? []).flatMap(({ addresses, notReadyAddresses }, at) => {
        const ready = new Set((addresses ?? []).map(({ ip }) => ip));
        return (notReadyAddresses ?? []).flatMap(({ ip }, i) =>
          ready.has(ip) ? [duplicate(`subsets[${at}].notReadyAddresses[${i}].ip`, ip)] : [],
        );
      }),
  },
  {
    name: 'endpoints/port-names-match',
    kind: 'Endpoints',
    field: 'subsets[].ports[].name',
    statement: 'The name of a port is that of the port of the service that it is behind.',
    place: 'resource-api.md: Endpoints, EndpointPort name',
    recorded: 'takes any name; what routes to services looks ports up by name',
    does: 'compared when endpoints are read, in either mode: no service leads to a port that bears another name; written it may be: Endpoints may come before their Service, whose ports may be renamed, and who follows it late, as controllers do, would be refused for what was right when it looked',
  },
  {
    name: 'endpoints/app-protocols-are-service-names',
    kind: 'Endpoints',
    field: 'subsets[].ports[].appProtocol',
    statement: 'A protocol without a prefix is a name of a service as RFC 6335 has it; others have a prefix.',
    place: 'resource-api.md: Endpoints, EndpointPort appProtocol',
    recorded: 'takes any qualified name',
    does: 'what cannot be such a name is refused; whether a name is registered is not looked up',
    member: 'subsets',
    check: ({ subsets }) => (subsets ?? []).flatMap(({ ports }, at) => appProtocolErrors(ports, `subsets[${at}].ports`)),
  },
];
