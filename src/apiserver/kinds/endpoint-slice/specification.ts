/** Rules of the specification for EndpointSlices that v1.24 does not have. Source: resource-api.md, "EndpointSlice" and "Limits". */
import {
  absentListErrors,
  appProtocolErrors,
  duplicate,
  type FieldError,
  forbidden,
  required,
  type Rule,
  tooMany,
} from '../../machinery/index.ts';
import type { Endpoint, EndpointSlice } from './shape.ts';

const MAX_PORTS = 100;
const NONE: readonly FieldError[] = [];
const PLACE = 'resource-api.md: EndpointSlice';

const ofEach = (slice: EndpointSlice, judge: (endpoint: Endpoint, field: string) => readonly FieldError[]): readonly FieldError[] =>
  (slice.endpoints ?? []).flatMap((endpoint, at) => judge(endpoint, `endpoints[${at}]`));

/** Returns an error for each repeated key, at the index of the repetition. */
function repeated<T>(items: readonly T[], keyOf: (item: T) => string, error: (at: number, item: T) => FieldError): readonly FieldError[] {
  if (items.length < 2) return NONE;
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [at, item] of items.entries()) {
    const key = keyOf(item);
    if (seen.has(key)) errors.push(error(at, item));
    seen.add(key);
  }
  return errors;
}

const texts = new WeakMap<Endpoint, string>();

/** Returns the same text for equal endpoints. */
function textOf(endpoint: Endpoint): string {
  let text = texts.get(endpoint);
  if (text !== undefined) return text;
  text = JSON.stringify(endpoint);
  if (Object.isFrozen(endpoint)) texts.set(endpoint, text);
  return text;
}

export const endpointSliceSpecification: readonly Rule<EndpointSlice>[] = [
  {
    name: 'endpoint-slice/endpoints-are-there',
    kind: 'EndpointSlice',
    field: 'endpoints',
    statement: 'An EndpointSlice lists its endpoints; the list may be empty.',
    place: `${PLACE}, endpoints`,
    recorded: 'accepts a slice without the list, or with null, and returns null',
    check: (_, { sent, old }) => absentListErrors(sent, ['endpoints'], old?.endpoints),
  },
  {
    name: 'endpoint-slice/endpoints-are-unique',
    kind: 'EndpointSlice',
    field: 'endpoints',
    statement: 'Endpoints are unique.',
    place: `${PLACE}, endpoints`,
    recorded: 'accepts duplicate endpoints',
    member: 'endpoints',
    check: ({ endpoints }) =>
      repeated(endpoints ?? [], textOf, (at, { addresses }) => duplicate(`endpoints[${at}]`, (addresses ?? []).join(','))),
  },
  {
    name: 'endpoint-slice/addresses-are-unique',
    kind: 'EndpointSlice',
    field: 'endpoints[].addresses',
    statement: 'The addresses of an endpoint are a set.',
    place: `${PLACE}, Endpoint addresses`,
    recorded: 'accepts duplicate addresses',
    member: 'endpoints',
    check: (slice) =>
      ofEach(slice, ({ addresses }, field) =>
        repeated(
          addresses ?? [],
          (address) => address,
          (at, address) => duplicate(`${field}.addresses[${at}]`, address),
        ),
      ),
  },
  {
    name: 'endpoint-slice/zones-have-names',
    kind: 'EndpointSlice',
    field: 'endpoints[].hints.forZones[].name',
    statement: 'A zone in the hints has a name.',
    place: `${PLACE}, Endpoint hints.forZones`,
    recorded: 'accepts an empty name',
    member: 'endpoints',
    check: (slice) =>
      ofEach(slice, ({ hints }, field) =>
        (hints?.forZones ?? []).flatMap(({ name }, at) => (name === '' ? [required(`${field}.hints.forZones[${at}].name`)] : [])),
      ),
  },
  {
    name: 'endpoint-slice/ending-is-not-ready',
    kind: 'EndpointSlice',
    field: 'endpoints[].conditions.ready',
    statement: 'A terminating endpoint is never ready.',
    place: `${PLACE}, Endpoint conditions.ready`,
    recorded: 'accepts both; its controller writes both for a Service with publishNotReadyAddresses',
    member: 'endpoints',
    check: (slice) =>
      ofEach(slice, ({ conditions: { ready, terminating } }, field) =>
        ready === true && terminating === true
          ? [forbidden(`${field}.conditions.ready`, 'may not be true for an endpoint that is terminating')]
          : [],
      ),
  },
  {
    name: 'endpoint-slice/hundred-ports',
    kind: 'EndpointSlice',
    field: 'ports',
    statement: 'A slice has at most 100 ports.',
    place: `${PLACE}, ports; Limits`,
    recorded: 'accepts 20000',
    member: 'ports',
    check: ({ ports }) => ((ports?.length ?? 0) > MAX_PORTS ? [tooMany('ports', ports?.length ?? 0, MAX_PORTS)] : []),
  },
  {
    name: 'endpoint-slice/port-names-match',
    kind: 'EndpointSlice',
    field: 'ports[].name',
    statement: 'The name of a port equals the name of the corresponding Service port.',
    place: 'resource-api.md: Endpoints, EndpointPort name; EndpointSlice',
    recorded: 'accepts any name; routing looks ports up by name',
    does: 'compared when endpoints are resolved, in either mode: a Service does not route to a port of another name; such a write is accepted, since slices may be created before their Service, and a controller with an old cache would be refused after a Service port is renamed',
  },
  {
    name: 'endpoint-slice/app-protocols-are-service-names',
    kind: 'EndpointSlice',
    field: 'ports[].appProtocol',
    statement: 'An appProtocol without a prefix is a service name of RFC 6335; all others have a prefix.',
    place: 'resource-api.md: EndpointSlice, ports; Endpoints, EndpointPort appProtocol',
    recorded: 'accepts any qualified name',
    does: 'a value that cannot be such a name is refused; whether the name is registered is not checked',
    member: 'ports',
    check: ({ ports }) => appProtocolErrors(ports, 'ports'),
  },
];
