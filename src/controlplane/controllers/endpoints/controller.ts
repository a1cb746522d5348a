/**
 * Maintains the Endpoints object of every service with a selector: addresses with the same ports, sorted, a thousand in all at most. They are
 * updated one pod at a time; building the object costs its size, independent of the number of pods. Models: v1.24 pkg/controller/endpoint
 * and pkg/api/v1/endpoints RepackSubsets.
 */
import { newItems } from '../../../engine/index.ts';
import type { Endpoints, Pod, Service } from '../../../apiserver/kinds/index.ts';
import { keptIn, compareText, formatTime, parseTime, bisect } from '../../../schema/values/index.ts';
import { sameValue, type Names, splitKey, keyOf } from '../../../apiserver/machinery/index.ts';
import {
  belongsInEndpoints,
  hostnameIn,
  isHeadless,
  isReady,
  podPorts,
  podReference,
  present,
  followPod,
  followService,
  selectsPods,
  servicesOfPod,
  leaderAnnotation,
  sameLabels,
  describeServices,
  reasonsFor,
} from '../../shared/index.ts';
import type { PodPort, Projection, Services } from '../../shared/index.ts';
import { create, defineController, idle, observing, watch, type EventText, type Outcome } from '../../runtime/index.ts';

type Subset = NonNullable<Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];

export interface Entry {
  readonly group: string;
  readonly ports: readonly PodPort[];
  readonly ready: boolean;
  readonly address: Address;
}
interface Group {
  readonly ports: readonly PodPort[];
  readonly ready: Address[];
  readonly unready: Address[];
}
export type Groups = Map<string, Group>;

const portText = ({ name, port, protocol }: PodPort): string => `${name}/${protocol}/${port}`;
const byAddress = (a: Address, b: Address): number =>
  compareText(a.ip, b.ip) || compareText(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');

/** The address of a pod; undefined: none. */
export function entryOf(pod: Pod, service: Service): Entry | undefined {
  const publishAll = service.spec.publishNotReadyAddresses === true;
  if (!belongsInEndpoints(pod, publishAll)) return undefined;
  const ports = [...podPorts(pod, service)].sort((a, b) => compareText(portText(a), portText(b)));
  if (ports.length === 0 && !(isHeadless(service) && (service.spec.ports ?? []).length === 0)) return undefined;
  const address = present({
    ip: pod.status.podIP ?? '',
    hostname: hostnameIn(pod, service),
    nodeName: pod.spec.nodeName,
    targetRef: podReference(pod),
  });
  return { group: ports.map(portText).join(','), ports, ready: publishAll || isReady(pod), address };
}

const placeOf = (addresses: readonly Address[], address: Address): number => bisect(addresses, (other) => byAddress(other, address) < 0);

export function putEntry(groups: Groups, before: Entry | undefined, after: Entry | undefined): void {
  const old = before === undefined ? undefined : groups.get(before.group);
  if (before !== undefined && old !== undefined) {
    const list = before.ready ? old.ready : old.unready;
    const at = placeOf(list, before.address);
    if (list[at] === before.address) list.splice(at, 1);
    if (old.ready.length + old.unready.length === 0) groups.delete(before.group);
  }
  if (after === undefined) return;
  const group = keptIn(groups, after.group, () => ({ ports: after.ports, ready: [], unready: [] }));
  const list = after.ready ? group.ready : group.unready;
  list.splice(placeOf(list, after.address), 0, after.address);
}

export const MOST_ADDRESSES = 1000;

function merged(a: readonly Address[], b: readonly Address[]): Address[] {
  const all: Address[] = [];
  let i = 0;
  for (const address of a) {
    for (let next = b[i]; next !== undefined && byAddress(next, address) < 0; next = b[++i]) all.push(next);
    all.push(address);
  }
  return all.concat(b.slice(i));
}

/** Ports with the same addresses are combined: where pods differ in one port, the other ports are listed once. */
function byPorts(groups: Groups): readonly Group[] {
  if (groups.size === 1) return [...groups.values()];
  const groupsOf = new Map<string, { readonly port: PodPort; readonly in: string[] }>();
  const packed = new Map<string, { readonly ports: PodPort[]; readonly in: readonly string[] }>();
  for (const [id, { ports }] of groups) {
    if (ports.length === 0) packed.set(`without ports/${id}`, { ports: [], in: [id] });
    for (const port of ports) keptIn(groupsOf, portText(port), () => ({ port, in: [] })).in.push(id);
  }
  for (const { port, in: ids } of groupsOf.values()) keptIn(packed, ids.join(';'), () => ({ ports: [], in: ids })).ports.push(port);
  const of = (ids: readonly string[], which: 'ready' | 'unready'): Address[] =>
    ids.map((id) => groups.get(id)?.[which] ?? []).reduce<Address[]>((all, more) => (all.length === 0 ? more : merged(all, more)), []);
  const textOf = ({ ports }: Group): string => ports.map(portText).join(',');
  return [...packed.values()]
    .map(({ ports, in: ids }): Group => ({
      ports: ports.sort((a, b) => compareText(portText(a), portText(b))),
      ready: of(ids, 'ready'),
      unready: of(ids, 'unready'),
    }))
    .sort((a, b) => compareText(textOf(a), textOf(b)));
}

/** How many addresses of each group are listed: ready ones in proportion, others only while there is capacity left. */
function shares(groups: readonly Group[]): {
  readonly truncated: boolean;
  readonly of: readonly { readonly ready: number; readonly unready: number }[];
} {
  const sum = (count: (group: Group) => number): number => groups.reduce((total, group) => total + count(group), 0);
  const ready = sum((group) => group.ready.length);
  const unready = sum((group) => group.unready.length);
  if (ready + unready <= MOST_ADDRESSES)
    return { truncated: false, of: groups.map((group) => ({ ready: group.ready.length, unready: group.unready.length })) };
  const cutReady = ready > MOST_ADDRESSES;
  const room = cutReady ? MOST_ADDRESSES : MOST_ADDRESSES - ready;
  let left = room;
  const share = (count: number): number => {
    const part = Math.min(count, left, Math.ceil((count / (cutReady ? ready : unready)) * room));
    left -= part;
    return part;
  };
  return {
    truncated: true,
    of: groups.map((group) =>
      cutReady ? { ready: share(group.ready.length), unready: 0 } : { ready: group.ready.length, unready: share(group.unready.length) },
    ),
  };
}

export function subsetsOf(groups: Groups): { readonly subsets: readonly Subset[]; readonly truncated: boolean } {
  const packed = byPorts(groups);
  const { truncated, of } = shares(packed);
  const subsets = packed.map(({ ports, ready, unready }, i): Subset => {
    const share = of[i] ?? { ready: 0, unready: 0 };
    return present({
      addresses: share.ready === 0 ? undefined : ready.slice(0, share.ready),
      notReadyAddresses: share.unready === 0 ? undefined : unready.slice(0, share.unready),
      ports: ports.length === 0 ? undefined : ports.map(({ name, ...rest }) => ({ ...(name === '' ? {} : { name }), ...rest })),
    });
  });
  return { subsets, truncated };
}

function sameAddresses(a: readonly Address[] = [], b: readonly Address[] = []): boolean {
  if (a.length !== b.length) return false;
  const { from, to } = newItems(a, b);
  return a.slice(from, to).every((address, i) => sameValue(address, b[from + i]));
}

/** Whether two lists of subsets are equal. Addresses that they share are not looked at. */
export const sameSubsets = (a: readonly Subset[] = [], b: readonly Subset[] = []): boolean =>
  a.length === b.length &&
  a.every(
    (subset, i) =>
      sameValue(subset.ports, b[i]?.ports) &&
      sameAddresses(subset.addresses, b[i]?.addresses) &&
      sameAddresses(subset.notReadyAddresses, b[i]?.notReadyAddresses),
  );

interface State {
  readonly services: Services<Entry, Groups>;
}
/** Which changes of pods earlier syncs have reported. */
interface Memory {
  readonly reported: number;
}

const entries: Projection<Entry, Groups> = { record: () => new Map(), show: entryOf, put: putEntry };

const failing = (about: EventText['about'], what: 'Create' | 'Update', { metadata: { namespace = '', name } }: Service): EventText => ({
  about,
  type: 'Warning',
  reason: `FailedTo${what}Endpoint`,
  message:
    what === 'Create'
      ? `Failed to create endpoint for service ${namespace}/${name}: {error}`
      : `Failed to update endpoint ${namespace}/${name}: {error}`,
});

/** Annotations of the object: the time of the oldest change in it, and whether it is truncated. */
function annotationsOf(
  current: Endpoints | undefined,
  names: Names,
  changedAt: number | undefined,
  truncated: boolean,
): Readonly<Record<string, string>> {
  const trigger = names.key('endpoints', 'last-change-trigger-time');
  const capacity = names.key('endpoints', 'over-capacity');
  const { [trigger]: _, [capacity]: __, ...others } = current?.metadata.annotations ?? {};
  return {
    ...others,
    ...(changedAt === undefined ? {} : { [trigger]: formatTime(changedAt) }),
    ...(truncated ? { [capacity]: 'truncated' } : {}),
  };
}

export const endpointsController = defineController<'Service', Memory, State>({
  name: 'endpoints',
  component: 'endpoint-controller',
  reconciles: 'Service',
  coalesces: true,
  writes: ['Endpoints'],
  models: 'v1.24 pkg/controller/endpoint. Simplified: one address family.',
  watches: [
    watch('Pod', (delta, { cache, state }) => servicesOfPod(state.services, delta, cache), { predicate: { whileThereAre: 'Service' } }),
    watch('Endpoints', ({ type, key }) => (type === 'DELETED' ? key : undefined)),
  ],
  start: () => ({ services: new Map() }),
  describe: ({ services }) => describeServices(services),
  observe: observing({
    Service: (delta, { state, cache }) => followService(entries, state.services, delta, cache),
    Pod: (delta, { state, cache }) => followPod(entries, state.services, delta, cache),
  }),
  // Objects whose service was deleted while no controller ran; locks of old elections have no service.
  startKeys: ({ cache, names }) =>
    cache
      .list('Endpoints')
      .filter(
        ({ metadata: { namespace, name, annotations } }) =>
          cache.get('Service', namespace, name) === undefined && annotations?.[leaderAnnotation(names)] === undefined,
      )
      .map(keyOf),
  reconcile({ self: service, key, cache, names, state, memory }): Outcome<Memory> {
    const backends = state.services.get(key);
    if (!selectsPods(service) || backends === undefined)
      return idle('it has no selector: its Endpoints are not managed by this controller');
    const { namespace, name } = service.metadata;
    const current = cache.get('Endpoints', namespace, name);
    const { subsets, truncated } = subsetsOf(backends.record);
    const labels = { ...service.metadata.labels, ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}) };
    const reported: Memory = { reported: backends.times.version };
    const changedAt = memory === undefined ? parseTime(service.metadata.creationTimestamp) : backends.times.since(memory.reported);
    const reasons = reasonsFor(backends.pods.size, 'its endpoints');
    const isSame = current !== undefined && sameSubsets(current.subsets, subsets) && sameLabels(current.metadata.labels, labels);
    if (isSame && truncated === (current.metadata.annotations?.[names.key('endpoints', 'over-capacity')] !== undefined))
      return { memory: reported, ...idle(reasons.same) };
    const annotations = annotationsOf(current, names, changedAt, truncated);
    const why = reasons.changed;
    if (current === undefined) {
      const made = {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: present({ name, namespace, labels, annotations }),
        subsets,
      };
      return { why, memory: reported, writes: [create(made, { tolerate: ['Forbidden'], otherwise: failing(made, 'Create', service) })] };
    }
    const next: Endpoints = { ...current, metadata: { ...current.metadata, labels, annotations }, subsets };
    return { why, memory: reported, writes: [{ op: 'update', object: next, otherwise: failing(next, 'Update', service) }] };
  },
  // The object is deleted without reading the cache, as in upstream: a new object may not be visible yet.
  reconcileAbsent({ key }) {
    const { namespace, name } = splitKey(key);
    return {
      why: 'its Service is gone',
      writes: [{ op: 'delete', kind: 'Endpoints', ...(namespace === undefined ? {} : { namespace }), name, tolerate: ['NotFound'] }],
      memory: null,
    };
  },
});
