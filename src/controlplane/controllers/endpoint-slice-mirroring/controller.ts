/**
 * Mirrors user-written Endpoints of services without selectors into slices, one slice for each set of ports and address family. Models:
 * v1.24 pkg/controller/endpointslicemirroring reconciler.go and pkg/api/v1/endpoints RepackSubsets.
 */
import type { Endpoints, EndpointSlice } from '../../../apiserver/kinds/index.ts';
import { keptIn, isIpv4, parseIp, compareText } from '../../../schema/values/index.ts';
import {
  identityOf,
  portsText,
  present,
  createSlice,
  fillSlice,
  stateOf,
  leaderAnnotation,
  sameLabels,
  serviceOfSlice,
  servicesOfSlice,
  sliceLabels,
} from '../../shared/index.ts';
import type { Endpoint, SlicePort, Texts } from '../../shared/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { defineController, idle, observing, record, remove, watch, write } from '../../runtime/index.ts';
import type { CacheView, Delta, Outcome, Write } from '../../runtime/index.ts';

type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

type Family = 'IPv4' | 'IPv6';
interface Mirror {
  readonly family: Family;
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

/** The number of addresses of a subset that are mirrored, at most. */
const MOST_PER_SUBSET = 1000;

const familyOf = (address: string): Family | undefined => {
  const ip = parseIp(address);
  return ip === undefined ? undefined : isIpv4(ip) ? 'IPv4' : 'IPv6';
};

const endpointOf = ({ ip, hostname, nodeName, targetRef }: Address, ready: boolean): Endpoint =>
  present({ addresses: [ip], conditions: { ready }, hostname, targetRef, nodeName });

interface Listed {
  readonly address: Address;
  ready: boolean;
}

const portOf = ({ name = '', port, protocol = 'TCP', appProtocol }: NonNullable<Subset['ports']>[number]): SlicePort =>
  present({ name, port, protocol, appProtocol });

/** Combines ports with the same addresses; each address is listed once, and is unready if any subset says so. */
function repacked(subsets: readonly Subset[]): Iterable<{ readonly ports: readonly SlicePort[]; readonly addresses: readonly Listed[] }> {
  const byPort = new Map<string, { readonly port: SlicePort | undefined; readonly addresses: Map<string, Listed> }>();
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets)
    for (const port of ports.length === 0 ? [undefined] : ports.map(portOf)) {
      const at = keptIn(byPort, port === undefined ? '' : portsText([port]), () => ({ port, addresses: new Map<string, Listed>() }));
      const list = (address: Address) =>
        keptIn(at.addresses, `${address.ip}|${address.targetRef?.uid ?? ''}`, () => ({ address, ready: true }));
      for (const address of addresses) list(address);
      for (const address of notReadyAddresses) list(address).ready = false;
    }
  const packed = new Map<string, { readonly ports: SlicePort[]; readonly addresses: readonly Listed[] }>();
  for (const { port, addresses } of byPort.values()) {
    const key = [...addresses]
      .map(([id, { ready }]) => `${id} ${ready}`)
      .sort(compareText)
      .join(';');
    const together = keptIn(packed, port === undefined ? `without ports;${key}` : key, () => ({
      ports: [],
      addresses: [...addresses.values()],
    }));
    if (port !== undefined) together.ports.push(port);
  }
  return packed.values();
}

/** The mirrors of an Endpoints object, and the numbers of invalid addresses, and of those beyond the limit. */
export function wantedMirrors({ subsets = [] }: Endpoints) {
  const mirrors = new Map<string, Omit<Mirror, 'endpoints'> & { readonly endpoints: Map<string, Endpoint> }>();
  let invalid = 0;
  let skipped = 0;
  for (const { ports, addresses } of repacked(subsets ?? [])) {
    let added = 0;
    // Ready addresses come first, so that the others are left out when there are too many.
    for (const { address, ready } of [...addresses.filter((one) => one.ready), ...addresses.filter((one) => !one.ready)]) {
      if (added >= MOST_PER_SUBSET) {
        skipped++;
        continue;
      }
      const family = familyOf(address.ip);
      if (family === undefined) {
        invalid++;
        continue;
      }
      added++;
      const mirror = keptIn(mirrors, `${family} ${portsText(ports)}`, () => ({ family, ports, endpoints: new Map() }));
      const endpoint = endpointOf(address, ready);
      mirror.endpoints.set(identityOf(endpoint), endpoint);
    }
  }
  return {
    mirrors: [...mirrors.values()].map(({ endpoints, ...rest }) => ({ ...rest, endpoints: [...endpoints.values()] })),
    invalid,
    skipped,
  };
}

const MANAGER = 'endpointslicemirroring-controller';

/** Why an Endpoints object is not mirrored; undefined when it is. */
const unmirrored = (endpoints: Endpoints, names: Names, cache: CacheView): string | undefined => {
  if (endpoints.metadata.labels?.[names.key('endpointslice', 'skip-mirror')] === 'true') return 'its label turns mirroring off';
  if (endpoints.metadata.annotations?.[leaderAnnotation(names)] !== undefined) return 'it is a leader election record';
  const service = cache.get('Service', endpoints.metadata.namespace, endpoints.metadata.name);
  if (service === undefined) return 'there is no Service of its name';
  return Object.keys(service.spec.selector ?? {}).length > 0
    ? 'its Service has a selector, so the EndpointSlice controller makes the slices'
    : undefined;
};

const sameEndpoints = (a: readonly Endpoint[], b: readonly Endpoint[]): boolean => {
  const states = new Map(b.map((endpoint) => [identityOf(endpoint), stateOf(endpoint)]));
  return a.length === b.length && a.every((endpoint) => states.get(identityOf(endpoint)) === stateOf(endpoint));
};

/** Labels and annotations of a mirror: those of the original, without the annotations of tools. */
function metadataOf(
  { metadata: { name, labels, annotations = {} } }: Endpoints,
  names: Names,
): { readonly labels: Texts; readonly annotations: Texts } {
  const {
    [names.key('endpoints', 'last-change-trigger-time')]: _,
    'kubectl.kubernetes.io/last-applied-configuration': __,
    ...kept
  } = annotations;
  return {
    labels: { ...labels, ...sliceLabels(name, MANAGER, names) },
    annotations: kept,
  };
}

const isFilled = (slice: EndpointSlice, mirror: Mirror, { labels, annotations }: ReturnType<typeof metadataOf>): boolean =>
  sameEndpoints(slice.endpoints ?? [], mirror.endpoints) &&
  sameLabels(slice.metadata.labels, labels) &&
  sameLabels(slice.metadata.annotations, annotations);

/** Assigns slices to mirrors: the first slice with its ports and address family. Slices without a mirror are spare. */
function matched(
  existing: readonly EndpointSlice[],
  mirrors: readonly Mirror[],
): { readonly pairs: readonly (readonly [Mirror, EndpointSlice | undefined])[]; readonly spare: EndpointSlice[] } {
  const left = new Map<string, EndpointSlice[]>();
  for (const slice of existing) {
    keptIn(left, `${slice.addressType} ${portsText(slice.ports)}`, () => new Array<EndpointSlice>()).push(slice);
  }
  const spare: EndpointSlice[] = [];
  const pairs = mirrors.map((mirror) => {
    const key = `${mirror.family} ${portsText(mirror.ports)}`;
    const [first, ...others] = left.get(key) ?? [];
    left.delete(key);
    spare.push(...others);
    return [mirror, first] as const;
  });
  for (const slices of left.values()) spare.push(...slices);
  return { pairs, spare };
}

/** Turns the existing slices into these mirrors: duplicates are deleted, and a slice to delete is reused for a new mirror. */
function mirrorWrites(
  endpoints: Endpoints,
  existing: readonly EndpointSlice[],
  mirrors: readonly Mirror[],
  names: Names,
): readonly Write[] {
  const dressed = metadataOf(endpoints, names);
  const fill = (slice: EndpointSlice, { endpoints, ports }: Mirror): Write => fillSlice(slice, { ...dressed, endpoints, ports });
  const { pairs, spare } = matched(existing, mirrors);
  const updates: Write[] = [];
  const missing: Mirror[] = [];
  for (const [mirror, slice] of pairs) {
    if (slice === undefined) missing.push(mirror);
    else if (!isFilled(slice, mirror, dressed)) updates.push(fill(slice, mirror));
  }
  const creates: Write[] = [];
  for (const mirror of missing) {
    const at = spare.findIndex(({ addressType }) => addressType === mirror.family);
    const [old] = at < 0 ? [] : spare.splice(at, 1);
    if (old !== undefined) updates.push(fill(old, mirror));
    else if (endpoints.metadata.deletionTimestamp === undefined) {
      const { family, ...content } = mirror;
      creates.push(createSlice(endpoints, family, { ...content, ...dressed }, names));
    }
  }
  return [...creates, ...updates, ...spare.map((slice) => remove(slice))];
}

type State = Map<string, Map<string, EndpointSlice>>;

function followSlice(state: State, delta: Delta<'EndpointSlice'>, names: Names): void {
  const { key, object } = delta;
  const { before, after } = servicesOfSlice(delta, MANAGER, names);
  if (before !== undefined && before !== after && state.get(before)?.delete(key) === true && state.get(before)?.size === 0)
    state.delete(before);
  if (after !== undefined) keptIn(state, after, () => new Map<string, EndpointSlice>()).set(key, object);
}

export const endpointSliceMirroring = defineController<'Endpoints', unknown, State>({
  name: 'endpoint-slice-mirroring',
  component: 'endpoint-slice-mirroring-controller',
  reconciles: 'Endpoints',
  writes: ['EndpointSlice'],
  models: 'v1.24 pkg/controller/endpointslicemirroring.',
  watches: [
    watch('Service'),
    watch('EndpointSlice', ({ type, object }, { names }) => (type === 'ADDED' ? undefined : serviceOfSlice(object, MANAGER, names))),
  ],
  start: () => new Map(),
  observe: observing({ EndpointSlice: (delta, { state, names }) => followSlice(state, delta, names) }),
  reconcile({ self: endpoints, key, cache, names, state, expectationsSatisfied }): Outcome<never> {
    if (!expectationsSatisfied) return idle('waiting to observe its own writes of slices');
    const mine = [...(state.get(key)?.values() ?? [])];
    const reason = unmirrored(endpoints, names, cache);
    if (reason !== undefined) return { why: reason, writes: mine.map((slice) => remove(slice)) };
    const { mirrors, invalid, skipped } = wantedMirrors(endpoints);
    const writes = mirrorWrites(endpoints, mine, mirrors, names);
    const warnings = [
      [invalid, 'InvalidIPAddress', `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`],
      [
        skipped,
        'TooManyAddressesToMirror',
        `A max of ${MOST_PER_SUBSET} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped + invalid} addresses were skipped`,
      ],
    ] as const;
    return write(
      writes.length === 0 ? 'its slices are up to date' : 'its slices do not show its latest change yet',
      ...warnings.flatMap(([count, reason, message]) => (count === 0 ? [] : [record(endpoints, 'Warning', reason, message)])),
      ...writes,
    );
  },
  reconcileAbsent({ key, state }): Outcome<never> {
    const mine = [...(state.get(key)?.values() ?? [])];
    return { why: mine.length === 0 ? 'it is gone' : 'it is gone: delete its slices', writes: mine.map((slice) => remove(slice)) };
  },
});
