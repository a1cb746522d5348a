/** Endpoints: the addresses of a service, in the older form. Models: v1.24 core/v1 Endpoints, pkg/registry/core/endpoint. */
import { field, filled, type Infer, int32, list, obj, oneOf, ptr, req, str } from '../../schema/shape/index.ts';
import { newItems } from '../../engine/index.ts';
import { validateNonSpecialIp } from '../../schema/values/index.ts';
import { defineKind, firstOf, type RuleFacts, rulesOf } from '../machinery/index.ts';
import type { FieldError, KeyTable, KindContext } from '../objects/index.ts';
import { type ObjectOf, objectReference, typeMeta } from '../structs/index.ts';
import { appProtocolErrors, duplicate, facetErrors, ofEach, ofNewItems, required, sameValue, validateOnce } from '../validation/index.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

const endpointAddress = obj(
  'EndpointAddress',
  'One address.',
  {
    ip: field(1, 'Not a loopback, link-local or link-local multicast address.', req(str()), { format: 'ip' }),
    hostname: field(3, 'Its host name.', str(), { format: 'label' }),
    nodeName: field(4, 'Its node.', ptr(str()), { format: 'subdomain' }),
    targetRef: field(2, 'The object behind it, most often a pod.', objectReference),
  },
  // An update changes one of thousands of items: the others are decoded and validated once.
  { mapType: 'atomic', memo: true },
);
const endpointPort = obj(
  'EndpointPort',
  'One port.',
  {
    name: field(1, "The name of the service's port; may be absent for a single port.", str(), { format: 'label' }),
    port: field(2, 'Its number; absent in a slice: all ports.', req(int32), { format: 'port' }),
    protocol: field(3, 'TCP, UDP or SCTP.', oneOf(filled(str('Protocol'), 'TCP'), PROTOCOLS), { among: PROTOCOLS }),
    appProtocol: field(4, 'The application protocol; names without a prefix are registered ones.', ptr(str()), {
      format: 'qualified name',
    }),
  },
  { mapType: 'atomic' },
);
const endpointSubset = obj('EndpointSubset', 'The product of addresses and ports.', {
  addresses: field(1, 'Addresses that may get traffic.', list(endpointAddress)),
  notReadyAddresses: field(2, 'Addresses that are starting or have failed a probe; no address is in both lists.', list(endpointAddress)),
  ports: field(3, 'Ports of all the addresses.', list(endpointPort)),
});

const endpointsSchema = obj('Endpoints', 'Addresses and ports behind a service, in the older form.', {
  ...typeMeta,
  subsets: field(
    2,
    'All of them together are the endpoints. An address whose ports differ in readiness is in several.',
    list(endpointSubset),
  ),
});
/** A stored Endpoints: defaulted, validated and frozen. */
export type Endpoints = ObjectOf<'Endpoints', Infer<typeof endpointsSchema>>;
type Subset = Infer<typeof endpointSubset>;
type Address = Infer<typeof endpointAddress>;

const addressErrors = (address: Address, field: string): FieldError[] => [
  ...facetErrors(endpointAddress, address, field),
  ...validateNonSpecialIp(address.ip, `${field}.ip`),
];

/** `old`: the stored object, whose addresses are valid. */
const subsetsErrors = ({ subsets }: Endpoints, context: KindContext, old?: Endpoints): FieldError[] =>
  (subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, nth) => {
    const [field, stored] = [`subsets[${nth}]`, old?.subsets?.[nth]];
    const check = (address: Address, at: string): FieldError[] => validateOnce(address, context, () => addressErrors(address, at));
    return [
      ...(addresses.length === 0 && notReadyAddresses.length === 0
        ? [required(field, 'must specify `addresses` or `notReadyAddresses`')]
        : []),
      ...ofNewItems(addresses, stored?.addresses, `${field}.addresses`, check),
      ...ofNewItems(notReadyAddresses, stored?.notReadyAddresses, `${field}.notReadyAddresses`, check),
      ...ofEach(ports, `${field}.ports`, (port, at) => [
        ...(ports.length > 1 && port.name === undefined ? [required(`${at}.name`)] : []),
        ...facetErrors(endpointPort, port, at),
      ]),
    ];
  });

/** Whether no address of a subset is in both of its lists, where that can be seen without looking at those that the stored subset has. */
function isKnownApart({ addresses, notReadyAddresses }: Subset, old: Subset | undefined, facts: RuleFacts): boolean {
  if (addresses === undefined || notReadyAddresses === undefined) return true;
  const { keyTables } = facts;
  if (keyTables === undefined || old === undefined || rulesOf(facts) !== 'specification') return false;
  const hasNewIn = (list: readonly Address[], before: readonly Address[] | undefined, others: KeyTable): boolean => {
    const { from, to } = newItems(list, before);
    return list.slice(from, to).some(({ ip }) => others.counts.has(ip));
  };
  const ready = keyTables.of(addresses, old.addresses, ipOf);
  const unready = keyTables.of(notReadyAddresses, old.notReadyAddresses, ipOf);
  return !hasNewIn(addresses, old.addresses, unready) && !hasNewIn(notReadyAddresses, old.notReadyAddresses, ready);
}
const ipOf = ({ ip }: Address): string => ip;

function summary({ subsets = [] }: Endpoints): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`))),
  );
  // Without a ready address the column is empty, although there are subsets.
  if (subsets.length === 0) return '<none>';
  return firstOf(all, 3);
}

export const endpoints = defineKind<Endpoints>({
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  schema: endpointsSchema,
  allowCreateOnUpdate: true,
  create: ['metadata', (object, context) => subsetsErrors(object, context)],
  // Old objects may keep values that the current rules refuse.
  update: [
    'changed metadata',
    (object, context, old) => (sameValue(object.subsets, old.subsets) ? [] : subsetsErrors(object, context, old)),
  ],
  columns: ['Name', ['Endpoints', 'string', 'Addresses and ports behind the service.', summary], 'Age'],
  models: 'Complete. Upstream: pkg/registry/core/endpoint, pkg/apis/core/validation.',
  specification: [
    {
      name: 'endpoints/ready-or-not',
      field: 'subsets[].notReadyAddresses',
      statement: 'No address is in both addresses and notReadyAddresses of a subset.',
      place: 'subsets.notReadyAddresses',
      recorded: 'accepts an address in both',
      check: ({ subsets }, facts) =>
        (subsets ?? []).flatMap((subset, at) => {
          if (isKnownApart(subset, facts.old?.subsets?.[at], facts)) return [];
          const { addresses, notReadyAddresses } = subset;
          const ready = new Set((addresses ?? []).map(({ ip }) => ip));
          return (notReadyAddresses ?? []).flatMap(({ ip }, i) =>
            ready.has(ip) ? [duplicate(`subsets[${at}].notReadyAddresses[${i}].ip`, ip)] : [],
          );
        }),
    },
    {
      name: 'endpoints/port-names-match',
      field: 'subsets[].ports[].name',
      statement: 'The name of a port equals the name of the corresponding Service port.',
      place: 'EndpointPort name',
      recorded: 'accepts any name; routing looks ports up by name',
      does: 'compared when endpoints are resolved, in either mode: a Service does not route to a port of another name; such a write is accepted, since Endpoints may be created before their Service, and a controller with an old cache would be refused after a Service port is renamed',
    },
    {
      name: 'endpoints/app-protocols-are-service-names',
      field: 'subsets[].ports[].appProtocol',
      statement: 'An appProtocol without a prefix is a service name of RFC 6335; all others have a prefix.',
      place: 'EndpointPort appProtocol',
      recorded: 'accepts any qualified name',
      does: 'a value that cannot be such a name is refused; whether the name is registered is not checked',
      check: ({ subsets }) => (subsets ?? []).flatMap(({ ports }, at) => appProtocolErrors(ports, `subsets[${at}].ports`)),
    },
  ],
});
