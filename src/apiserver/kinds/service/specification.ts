/** Rules of the specification for Service that v1.24 does not have. Source: resource-api.md, "Endpoints". */
import { appProtocolErrors, type Rule } from '../../machinery/index.ts';
import type { Service } from './shape.ts';

export const serviceSpecification: readonly Rule<Service>[] = [
  {
    name: 'service/app-protocols-are-service-names',
    kind: 'Service',
    field: 'spec.ports[].appProtocol',
    statement: 'An appProtocol without a prefix is a service name of RFC 6335; all others have a prefix.',
    place: 'resource-api.md: Endpoints, EndpointPort appProtocol, which is that of the port of the service',
    recorded: 'accepts any qualified name',
    does: 'a value that cannot be such a name is refused; whether the name is registered is not checked',
    member: 'spec',
    check: ({ spec }) => appProtocolErrors(spec.ports, 'spec.ports'),
  },
];
