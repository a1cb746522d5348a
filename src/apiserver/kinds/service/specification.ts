/** Rules of the specification for Service that v1.24 does not have. Source: resource-api.md, "Endpoints". */
import { appProtocolErrors, type Rule } from '../../machinery/index.ts';
import type { Service } from './shape.ts';

export const serviceSpecification: readonly Rule<Service>[] = [
  {
    name: 'service/app-protocols-are-service-names',
    kind: 'Service',
    field: 'spec.ports[].appProtocol',
    statement: 'A protocol without a prefix is a name of a service as RFC 6335 has it; others have a prefix.',
    place: 'resource-api.md: Endpoints, EndpointPort appProtocol, which is that of the port of the service',
    recorded: 'takes any qualified name',
    does: 'what cannot be such a name is refused; whether a name is registered is not looked up',
    member: 'spec',
    check: ({ spec }) => appProtocolErrors(spec.ports, 'spec.ports'),
  },
];
