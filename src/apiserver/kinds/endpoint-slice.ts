/** EndpointSlice: a part of the endpoints of a service. Models: v1.24 discovery/v1 EndpointSlice, pkg/registry/discovery/endpointslice. */
import {
  always,
  atomicList,
  bool,
  field,
  filled,
  int32,
  map,
  obj,
  oneOf,
  ptr,
  published,
  req,
  setList,
  str,
} from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import { memo, newItems } from '../../engine/index.ts';
import {
  append,
  isValidLabelValue,
  validateFullyQualifiedDomainName,
  validateIpv4,
  validateIpv6,
  validateNonSpecialIp,
  repeats,
} from '../../schema/values/index.ts';
import { defineKind, type Draft, firstOf, type RuleFacts, rulesOf } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../structs/index.ts';
import {
  absentListErrors,
  appProtocolErrors,
  duplicate,
  facetErrors,
  forbidden,
  ofEach,
  ofNewItems,
  problemsAt,
  repeatedErrors,
  required,
  sameValue,
  tooMany,
  validateOnce,
} from '../validation/index.ts';

const TERMINATING = { since: 'EndpointSliceTerminatingCondition' } as const;
const endpoint = obj(
  'Endpoint',
  'One endpoint.',
  {
    addresses: field(1, '1 to 100 of the type of the slice, which are interchangeable.', req(setList(str())), {
      needed: 'must contain at least 1 address',
    }),
    conditions: field(
      2,
      'Whether it may get traffic.',
      always(
        obj('EndpointConditions', 'Whether an endpoint may get traffic.', {
          ready: field(1, 'Whether it may; absent: unknown, which counts as true. Never true for a terminating one.', ptr(bool)),
          serving: field(2, 'Whether it responds, terminating or not; absent: the same as ready.', ptr(bool), TERMINATING),
          terminating: field(3, 'Whether it is terminating; absent: it is not.', ptr(bool), TERMINATING),
        }),
      ),
    ),
    hostname: field(3, 'Its host name; endpoints of one name are interchangeable.', ptr(str()), { format: 'label' }),
    targetRef: field(4, 'The object behind it.', objectReference),
    deprecatedTopology: field(5, 'From an earlier version; writes are ignored.', map(str())),
    nodeName: field(6, 'Its node.', ptr(str()), { format: 'subdomain' }),
    zone: field(7, 'Its zone.', ptr(str())),
    hints: field(
      8,
      'The clients that should use it.',
      obj('EndpointHints', 'The clients that should use an endpoint.', {
        forZones: field(1, 'Clients in these zones.', atomicList(obj('ForZone', 'A zone.', { name: field(1, 'Its name.', req(str())) }))),
      }),
      { since: 'TopologyAwareHints' },
    ),
  },
  // An update changes one of hundreds of items: the others are decoded and validated once.
  { memo: true },
);
export type Endpoint = Infer<typeof endpoint>;

const endpointPort = obj(
  'EndpointPort',
  'One port.',
  {
    name: field(1, "The name of the service's port; may be absent for a single port.", filled(ptr(str()), ''), {
      empty: true,
      format: 'label',
      distinct: true,
    }),
    protocol: field(2, 'TCP, UDP or SCTP.', filled(ptr(str('Protocol')), 'TCP'), { among: ['SCTP', 'TCP', 'UDP'] }),
    port: field(3, 'Its number; absent in a slice: all ports.', ptr(int32)),
    appProtocol: field(4, 'The application protocol; names without a prefix are registered ones.', ptr(str()), {
      format: 'qualified name',
    }),
  },
  { mapType: 'atomic' },
);

const ADDRESS_TYPES = ['FQDN', 'IPv4', 'IPv6'];

const endpointSliceSchema = obj('EndpointSlice', 'A part of the endpoints of a service; all its slices together are the whole.', {
  ...typeMeta,
  addressType: field(4, 'IPv4, IPv6 or FQDN, for all addresses. Cannot be changed.', oneOf(req(str('AddressType')), ADDRESS_TYPES), {
    needed: true,
    among: ADDRESS_TYPES,
    fixed: true,
  }),
  endpoints: field(2, 'At most 1,000.', published(atomicList(endpoint))),
  ports: field(3, 'At most 100, with unique names; none: no port is defined.', always(atomicList(endpointPort))),
});
/** A stored EndpointSlice: defaulted, validated and frozen. */
export type EndpointSlice = ObjectOf<'EndpointSlice', Infer<typeof endpointSliceSchema>>;

const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;
const MAX_PORTS = 20_000;
const MAX_ZONES = 8;

function addressErrors(address: string, type: string, field: string): readonly FieldError[] {
  if (type === 'IPv4') return [...validateIpv4(address, field), ...validateNonSpecialIp(address, field)];
  if (type === 'IPv6') return [...validateIpv6(address, field), ...validateNonSpecialIp(address, field)];
  return type === 'FQDN' ? validateFullyQualifiedDomainName(address, field) : [];
}

function endpointErrors(one: Endpoint, type: string, field: string): FieldError[] {
  const { addresses, hints } = one;
  const errors = facetErrors(endpoint, one, field, 'addresses');
  if ((addresses?.length ?? 0) > MAX_ADDRESSES) errors.push(tooMany(`${field}.addresses`, addresses.length, MAX_ADDRESSES));
  append(
    errors,
    ofEach(addresses, `${field}.addresses`, (address, path) => addressErrors(address, type, path)),
    facetErrors(endpoint, one, field, 'nodeName', 'hostname'),
  );
  const zones = hints?.forZones ?? [];
  if (zones.length > MAX_ZONES) return [...errors, tooMany(`${field}.hints.forZones`, zones.length, MAX_ZONES)];
  const isRepeated = repeats<string>();
  return [
    ...errors,
    ...ofEach(zones, `${field}.hints.forZones`, ({ name }, path) => [
      ...(isRepeated(name) ? [duplicate(`${path}.name`, name)] : []),
      ...problemsAt(isValidLabelValue(name), `${path}.name`, name),
    ]),
  ];
}

/** `old`: the stored slice, whose endpoints are valid for its type. */
const endpointsErrors = ({ endpoints, addressType: type }: EndpointSlice, context: KindContext, old?: EndpointSlice): FieldError[] =>
  (endpoints?.length ?? 0) > MAX_ENDPOINTS
    ? [tooMany('endpoints', endpoints?.length ?? 0, MAX_ENDPOINTS)]
    : ofNewItems(endpoints, old?.addressType === type ? old.endpoints : undefined, 'endpoints', (one, field) =>
        validateOnce(one, context, () => endpointErrors(one, type, field), type),
      );

const portsErrors = ({ ports }: EndpointSlice): FieldError[] =>
  (ports?.length ?? 0) > MAX_PORTS
    ? [tooMany('ports', ports?.length ?? 0, MAX_PORTS)]
    : facetErrors(endpointSliceSchema.fields.ports, ports, 'ports');

/** Whether a slice has the deprecated topology; stored endpoints do not. */
function hasTopology({ endpoints }: EndpointSlice, old: EndpointSlice | undefined): boolean {
  const { from, to } = newItems(endpoints ?? [], old?.endpoints);
  return endpoints?.slice(from, to).some(({ deprecatedTopology }) => deprecatedTopology !== undefined) === true;
}

function dropTopology(draft: Draft<EndpointSlice>): void {
  for (const endpoint of draft.endpoints ?? []) delete endpoint.deprecatedTopology;
}

const shownPorts = (ports: EndpointSlice['ports']): readonly string[] =>
  (ports ?? []).map(({ name, port }) => (port === undefined ? name : String(port)));

const MAX_PORTS_SPECIFIED = 100;
/** A rule of each endpoint. Where the rules are enforced, stored endpoints obey it. */
const ofEndpoints =
  (judge: (endpoint: Endpoint, field: string) => readonly FieldError[]) =>
  ({ endpoints }: EndpointSlice, facts: RuleFacts<EndpointSlice>): readonly FieldError[] =>
    ofNewItems(endpoints, rulesOf(facts) === 'specification' ? facts.old?.endpoints : undefined, 'endpoints', judge);

const texts = memo(new WeakMap<Endpoint, string>());

/** Returns the same text for equal endpoints. */
function textOf(endpoint: Endpoint): string {
  let text = texts.get(endpoint);
  if (text !== undefined) return text;
  text = JSON.stringify(endpoint);
  if (Object.isFrozen(endpoint)) texts.set(endpoint, text);
  return text;
}

export const endpointSlice = defineKind<EndpointSlice>({
  groupPrefix: 'discovery',
  schema: endpointSliceSchema,
  generation: 'spec',
  allowUnconditionalUpdate: true,
  prepareForCreate: {
    reads: ['other'],
    concerns: (slice) => hasTopology(slice, undefined),
    run: dropTopology,
  },
  prepareForUpdate: {
    reads: ['labels', 'other'],
    concerns: (slice, _, old) => hasTopology(slice, old) || !sameValue(slice.metadata.labels, old?.metadata.labels),
    run(draft, old) {
      // The comparison uses the endpoints as sent, before the deprecated topology is dropped.
      const saysMore = (draft.endpoints ?? []).some(({ deprecatedTopology }) => deprecatedTopology !== undefined);
      dropTopology(draft);
      // The only kind whose labels count for its generation.
      if (saysMore || !sameValue(draft.metadata.labels, old.metadata.labels))
        draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
    },
  },
  create: ['metadata', 'addressType', (slice, context) => endpointsErrors(slice, context), portsErrors],
  update: ['metadata', 'addressType', endpointsErrors, portsErrors, 'fixed'],
  columns: [
    'Name',
    ['AddressType', 'string', 'Type of the addresses in the slice.', ({ addressType }) => addressType],
    ['Ports', 'string', 'Ports of every endpoint in the slice.', ({ ports }) => firstOf(shownPorts(ports), 3) || '<unset>'],
    [
      'Endpoints',
      'string',
      'Addresses of the endpoints.',
      ({ endpoints }) =>
        firstOf(
          (endpoints ?? []).flatMap(({ addresses }) => addresses),
          3,
        ) || '<unset>',
    ],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/discovery/endpointslice, pkg/apis/discovery/validation.',
  specification: [
    {
      name: 'endpoint-slice/endpoints-are-there',
      field: 'endpoints',
      statement: 'An EndpointSlice lists its endpoints; the list may be empty.',
      recorded: 'accepts a slice without the list, or with null, and returns null',
      ofDocument: true,
      check: (_, { sent, old }) => absentListErrors(sent, ['endpoints'], old?.endpoints),
    },
    {
      name: 'endpoint-slice/endpoints-are-unique',
      field: 'endpoints',
      statement: 'Endpoints are unique.',
      recorded: 'accepts duplicate endpoints',
      check: ({ endpoints }, { old, keyTables }) =>
        endpoints === null || keyTables?.of(endpoints, old?.endpoints, textOf).repeated === 0
          ? []
          : repeatedErrors(endpoints, 'endpoints', textOf, (field, { addresses }) => duplicate(field, (addresses ?? []).join(','))),
    },
    {
      name: 'endpoint-slice/addresses-are-unique',
      field: 'endpoints[].addresses',
      statement: 'The addresses of an endpoint are a set.',
      place: 'Endpoint addresses',
      recorded: 'accepts duplicate addresses',
      check: ofEndpoints(({ addresses }, field) => repeatedErrors(addresses, `${field}.addresses`)),
    },
    {
      name: 'endpoint-slice/zones-have-names',
      field: 'endpoints[].hints.forZones[].name',
      statement: 'A zone in the hints has a name.',
      place: 'Endpoint hints.forZones',
      recorded: 'accepts an empty name',
      check: ofEndpoints(({ hints }, field) =>
        (hints?.forZones ?? []).flatMap(({ name }, at) => (name === '' ? [required(`${field}.hints.forZones[${at}].name`)] : [])),
      ),
    },
    {
      name: 'endpoint-slice/ending-is-not-ready',
      field: 'endpoints[].conditions.ready',
      statement: 'A terminating endpoint is never ready.',
      place: 'Endpoint conditions.ready',
      recorded: 'accepts both; its controller writes both for a Service with publishNotReadyAddresses',
      check: ofEndpoints(({ conditions: { ready, terminating } }, field) =>
        ready === true && terminating === true
          ? [forbidden(`${field}.conditions.ready`, 'may not be true for an endpoint that is terminating')]
          : [],
      ),
    },
    {
      name: 'endpoint-slice/hundred-ports',
      field: 'ports',
      statement: 'A slice has at most 100 ports.',
      place: 'ports; Limits',
      recorded: 'accepts 20000',
      check: ({ ports }) => ((ports?.length ?? 0) > MAX_PORTS_SPECIFIED ? [tooMany('ports', ports?.length ?? 0, MAX_PORTS_SPECIFIED)] : []),
    },
    {
      name: 'endpoint-slice/port-names-match',
      field: 'ports[].name',
      statement: 'The name of a port equals the name of the corresponding Service port.',
      place: 'resource-api.md: Endpoints, EndpointPort name; EndpointSlice',
      recorded: 'accepts any name; routing looks ports up by name',
      does: 'compared when endpoints are resolved, in either mode: a Service does not route to a port of another name; such a write is accepted, since slices may be created before their Service, and a controller with an old cache would be refused after a Service port is renamed',
    },
    {
      name: 'endpoint-slice/app-protocols-are-service-names',
      field: 'ports[].appProtocol',
      statement: 'An appProtocol without a prefix is a service name of RFC 6335; all others have a prefix.',
      place: 'ports; Endpoints, EndpointPort appProtocol',
      recorded: 'accepts any qualified name',
      does: 'a value that cannot be such a name is refused; whether the name is registered is not checked',
      check: ({ ports }) => appProtocolErrors(ports, 'ports'),
    },
  ],
});
