/**
 * Assigns endpoints to slices with as few changed slices as possible: endpoints that are gone are removed, slices that change anyway are
 * filled, then one with free capacity, then new ones. Slices are never rebalanced. And the writes that bring the slices to this content.
 * Models: v1.24 pkg/controller/endpointslice reconciler.go, utils newEndpointSlice, setEndpointSliceLabels.
 */
import type { EndpointSlice, Service } from '../../../apiserver/kinds/index.ts';
import { identityOf, portsText, createSlice, fillSlice, isHeadless, sameLabels, sliceLabels } from '../../shared/index.ts';
import type { Endpoint, SlicePort, Texts } from '../../shared/index.ts';
import { keyOf, type Names, storeKey } from '../../../apiserver/machinery/index.ts';
import { keptIn, formatTime } from '../../../schema/values/index.ts';
import { remove, type EventText, type Write } from '../../runtime/index.ts';

export const MOST_ENDPOINTS = 100;

export interface SliceChanges {
  readonly create: readonly { readonly ports: readonly SlicePort[]; readonly endpoints: readonly Endpoint[] }[];
  readonly update: readonly { readonly slice: EndpointSlice; readonly endpoints: readonly Endpoint[] }[];
  readonly remove: readonly EndpointSlice[];
}

export interface Misplaced {
  /** For each wanted set of ports: the ports, and the number of endpoints. */
  readonly groups: ReadonlyMap<string, { readonly ports: readonly SlicePort[]; readonly count: number }>;
  /** By slice, then by identity: endpoints to remove (undefined) or to replace. */
  readonly changes: ReadonlyMap<EndpointSlice, ReadonlyMap<string, Endpoint | undefined>>;
  /** By set of ports: endpoints that are in no slice yet. */
  readonly missing: ReadonlyMap<string, readonly Endpoint[]>;
}

/**
 * Plans slices from a difference: it costs the number of changes, plus one visit of each slice. `relabelled`: slices that need an update
 * anyway. `others`: how many more slices there are, which are full and stay as they are. Without endpoints there is one empty slice.
 */
export function rearrange(
  existing: readonly EndpointSlice[],
  { groups, changes, missing }: Misplaced,
  relabelled: (slice: EndpointSlice) => boolean,
  others = 0,
): SliceChanges {
  const byPorts = new Map<string, EndpointSlice[]>();
  const remove: EndpointSlice[] = [];
  for (const slice of existing) {
    const id = portsText(slice.ports);
    if ((groups.get(id)?.count ?? 0) === 0) remove.push(slice);
    else keptIn(byPorts, id, () => new Array<EndpointSlice>()).push(slice);
  }
  const create: SliceChanges['create'][number][] = [];
  const update: SliceChanges['update'][number][] = [];
  for (const [id, { ports, count }] of groups) {
    if (count === 0) continue;
    const done = fill(byPorts.get(id) ?? [], ports, changes, missing.get(id) ?? [], relabelled);
    create.push(...done.create);
    update.push(...done.update);
    remove.push(...done.remove);
  }
  if (others === 0 && existing.length === remove.length && create.length === 0) create.push({ ports: [], endpoints: [] });
  // A slice to create reuses one that would be deleted.
  while (create.length > 0 && remove.length > 0) {
    const [made, old] = [create.pop(), remove.shift()];
    if (made !== undefined && old !== undefined) update.push({ slice: { ...old, ports: made.ports }, endpoints: made.endpoints });
  }
  return { create, update, remove };
}

interface Filling {
  readonly slice: EndpointSlice;
  endpoints: readonly Endpoint[];
}

const changed = (endpoints: readonly Endpoint[], changes: ReadonlyMap<string, Endpoint | undefined>): readonly Endpoint[] => {
  const seen = new Set<string>();
  return endpoints.flatMap((endpoint) => {
    const identity = identityOf(endpoint);
    // A duplicate in one slice is removed once.
    if (seen.has(identity)) return [];
    seen.add(identity);
    if (!changes.has(identity)) return [endpoint];
    const now = changes.get(identity);
    return now === undefined ? [] : [now];
  });
};

const fullestFirst = (a: Filling, b: Filling): number => b.endpoints.length - a.endpoints.length;

function fill(
  slices: readonly EndpointSlice[],
  ports: readonly SlicePort[],
  changes: Misplaced['changes'],
  missing: readonly Endpoint[],
  relabelled: (slice: EndpointSlice) => boolean,
): SliceChanges {
  const touched: Filling[] = [];
  const same: Filling[] = [];
  const remove: EndpointSlice[] = [];
  for (const slice of slices) {
    const own = changes.get(slice);
    const endpoints = own === undefined ? (slice.endpoints ?? []) : changed(slice.endpoints ?? [], own);
    if (own !== undefined && endpoints.length === 0) remove.push(slice);
    else (own !== undefined || relabelled(slice) ? touched : same).push({ slice, endpoints });
  }
  let at = 0;
  const take = (count: number): readonly Endpoint[] => missing.slice(at, (at = Math.min(missing.length, at + count)));
  for (const one of touched.sort(fullestFirst))
    if (at < missing.length && one.endpoints.length < MOST_ENDPOINTS)
      one.endpoints = [...one.endpoints, ...take(MOST_ENDPOINTS - one.endpoints.length)];
  const create: SliceChanges['create'][number][] = [];
  while (missing.length - at >= MOST_ENDPOINTS) create.push({ ports, endpoints: take(MOST_ENDPOINTS) });
  const rest = missing.length - at;
  if (rest > 0) {
    const room = same.filter(({ endpoints }) => endpoints.length + rest <= MOST_ENDPOINTS).sort(fullestFirst)[0];
    if (room === undefined) create.push({ ports, endpoints: take(rest) });
    else touched.push({ slice: room.slice, endpoints: [...room.endpoints, ...take(rest)] });
  }
  return { create, update: touched, remove };
}

/** What all writes of one sync share. */
interface Sync {
  readonly service: Service;
  readonly labels: Texts;
  readonly names: Names;
  /** When the oldest change in these writes happened; undefined: there was none. */
  readonly changedAt: number | undefined;
}

export const MANAGER = 'endpointslice-controller';

/** The labels of a service's slices: the service's own, its name, and the managing controller. */
export const labelsOf = (service: Service, names: Names): Texts => ({
  ...service.metadata.labels,
  ...sliceLabels(service.metadata.name, MANAGER, names),
  ...(isHeadless(service) ? { [names.key('service', 'headless')]: '' } : {}),
});

const failing = (service: Service): EventText => ({
  about: service,
  type: 'Warning',
  reason: 'FailedToUpdateEndpointSlices',
  message: `Error updating Endpoint Slices for Service ${keyOf(service)}: {error}`,
});

const triggerOf = (names: Names): string => names.key('endpoints', 'last-change-trigger-time');

const stampOf = ({ names, changedAt }: Sync): Texts => (changedAt === undefined ? {} : { [triggerOf(names)]: formatTime(changedAt) });

/** Whether a write of a slice would change nothing. */
function isStored(sync: Sync, slice: EndpointSlice, endpoints: readonly Endpoint[], stored: EndpointSlice | undefined): boolean {
  if (!sameLabels(slice.metadata.labels, sync.labels)) return false;
  const trigger = triggerOf(sync.names);
  const before = stored?.endpoints ?? [];
  // The empty slice of a service without endpoints is written at every sync, which has an effect only if the time of the change is written.
  const isEmpty = endpoints.length === 0 && before.length === 0;
  if (isEmpty && portsText(stored?.ports) === portsText(slice.ports) && slice.metadata.annotations?.[trigger] === stampOf(sync)[trigger])
    return true;
  // The slice was visited for its hints, which are unchanged.
  return slice === stored && endpoints.length === stored.endpoints?.length && endpoints.every((endpoint, at) => endpoint === before[at]);
}

function updated(sync: Sync, { slice, endpoints }: SliceChanges['update'][number], mine: ReadonlyMap<string, EndpointSlice>): Write[] {
  if (isStored(sync, slice, endpoints, mine.get(storeKey(sync.service.metadata.namespace, slice.metadata.name)))) return [];
  const { [triggerOf(sync.names)]: _, ...others } = slice.metadata.annotations ?? {};
  const content = { labels: sync.labels, annotations: { ...others, ...stampOf(sync) }, endpoints };
  return [{ otherwise: failing(sync.service), ...fillSlice(slice, content) }];
}

export function sliceWrites(
  sync: Sync,
  changes: SliceChanges,
  mine: ReadonlyMap<string, EndpointSlice>,
  foreign: readonly EndpointSlice[],
): readonly Write[] {
  const { service, labels, names } = sync;
  const otherwise = failing(service);
  const content = { labels, annotations: stampOf(sync) };
  return [
    ...(service.metadata.deletionTimestamp === undefined
      ? changes.create.map((slice) => createSlice(service, 'IPv4', { ...slice, ...content }, names, { otherwise }))
      : []),
    ...changes.update.flatMap((change) => updated(sync, change, mine)),
    ...[...changes.remove, ...foreign].map((slice) => remove(slice, { otherwise })),
  ];
}
