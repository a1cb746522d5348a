/** Rules of the specification for Endpoints that v1.24 does not have. Source: resource-api.md, "Endpoints". */
import { appProtocolErrors, duplicate, type Rule } from '../../machinery/index.ts';
import type { Endpoints } from './shape.ts';

export const endpointsSpecification: readonly Rule<Endpoints>[] = [
  {
    name: 'endpoints/ready-or-not',
    kind: 'Endpoints',
    field: 'subsets[].notReadyAddresses',
    statement: 'No address is in both addresses and notReadyAddresses of a subset.',
    place: 'resource-api.md: Endpoints, subsets.notReadyAddresses',
    recorded: 'accepts an address in both',
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
    statement: 'The name of a port equals the name of the corresponding Service port.',
    place: 'resource-api.md: Endpoints, EndpointPort name',
    recorded: 'accepts any name; routing looks ports up by name',
    does: 'compared when endpoints are resolved, in either mode: a Service does not route to a port of another name; such a write is accepted, since Endpoints may be created before their Service, and a controller with an old cache would be refused after a Service port is renamed',
  },
  {
    name: 'endpoints/app-protocols-are-service-names',
    kind: 'Endpoints',
    field: 'subsets[].ports[].appProtocol',
    statement: 'An appProtocol without a prefix is a service name of RFC 6335; all others have a prefix.',
    place: 'resource-api.md: Endpoints, EndpointPort appProtocol',
    recorded: 'accepts any qualified name',
    does: 'a value that cannot be such a name is refused; whether the name is registered is not checked',
    member: 'subsets',
    check: ({ subsets }) => (subsets ?? []).flatMap(({ ports }, at) => appProtocolErrors(ports, `subsets[${at}].ports`)),
  },
];
