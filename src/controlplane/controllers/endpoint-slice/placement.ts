/**
 * The actual and wanted positions of a service's endpoints, updated one pod and one slice at a time, so that a sync visits only misplaced
 * endpoints, and the slices that have them or room for more.
 */
import { newItems } from '../../../engine/index.ts';
import { keptIn, compareText } from '../../../schema/values/index.ts';
import type { CacheView } from '../../runtime/index.ts';
import type { EndpointSlice, Pod, Service } from '../../../apiserver/kinds/index.ts';
import { belongsInEndpoints, podPorts, identityOf, portsText, sameLabels, stateOf } from '../../shared/index.ts';
import type { Endpoint, SlicePort, Texts } from '../../shared/index.ts';
import { MOST_ENDPOINTS, type Misplaced } from './slices.ts';

export interface Entry {
  readonly identity: string;
  readonly state: string;
  readonly group: string;
  readonly ports: readonly SlicePort[];
  readonly endpoint: Endpoint;
}
interface Place {
  readonly state: string;
  readonly group: string;
}

/** What follows from the slices. A sync reads it in place of visiting each of them. */
const createSummary = () => ({
  /** By owners, ports and labels: the number of slices that have these. */
  traits: new Map<string, { readonly of: Traits; count: number }>(),
  /** Slices with room for more endpoints, by key. */
  open: new Set<string>(),
});
interface Traits {
  readonly owners: readonly string[];
  readonly group: string;
  readonly labels: Texts | undefined;
}

export type Placement = ReturnType<typeof createPlacement>;

export const createPlacement = () => ({
  /** By identity. */
  wanted: new Map<string, Entry>(),
  groups: new Map<string, { readonly ports: readonly SlicePort[]; count: number }>(),
  /** Slices labelled for this service, by key. */
  slices: new Map<string, EndpointSlice>(),
  /** Those of them with hints, by key. */
  hinted: new Set<string>(),
  /** By identity: the slices that contain it, by key. */
  places: new Map<string, Map<string, Place>>(),
  /** Identities that are misplaced or outdated. */
  wrong: new Set<string>(),
  summary: createSummary(),
});

/** A placement without what follows from the rest of it. */
export const describePlacement = ({ summary: _, ...placement }: Placement): object => placement;

export interface Showing {
  readonly zoneLabel: string;
  /** Whether pods that are stopping show at all. */ readonly terminating: boolean;
  endpointOf(pod: Pod, service: Service, zone: string | undefined): Endpoint;
}

/** The endpoint of a pod; undefined: none. A pod on an unknown node waits for the node, unless unready endpoints are published. */
export function entryOf(pod: Pod, service: Service, cache: CacheView, { zoneLabel, terminating, endpointOf }: Showing): Entry | undefined {
  if (!belongsInEndpoints(pod, terminating || service.spec.publishNotReadyAddresses === true)) return undefined;
  const node = pod.spec.nodeName === undefined ? undefined : cache.get('Node', undefined, pod.spec.nodeName);
  if (node === undefined && service.spec.publishNotReadyAddresses !== true) return undefined;
  const endpoint = endpointOf(pod, service, node?.metadata.labels?.[zoneLabel]);
  const ports: readonly SlicePort[] = podPorts(pod, service);
  return { identity: identityOf(endpoint), state: stateOf(endpoint), group: portsText(ports), ports, endpoint };
}

function judge({ wanted, places, wrong }: Placement, identity: string): void {
  const entry = wanted.get(identity);
  const at = places.get(identity);
  const isRight =
    entry === undefined
      ? at === undefined
      : at?.size === 1 && [...at.values()].every(({ state, group }) => state === entry.state && group === entry.group);
  if (isRight) wrong.delete(identity);
  else wrong.add(identity);
}

export function putEntry(placement: Placement, before: Entry | undefined, after: Entry | undefined): void {
  const { wanted, groups } = placement;
  const leave = ({ identity, group: id }: Entry): void => {
    wanted.delete(identity);
    const group = groups.get(id);
    if (group !== undefined && --group.count === 0) groups.delete(id);
  };
  // An entry with the same identity may have replaced this one already.
  if (before !== undefined && wanted.get(before.identity) === before) leave(before);
  if (after !== undefined) {
    const other = wanted.get(after.identity);
    if (other !== undefined) leave(other);
    wanted.set(after.identity, after);
    keptIn(groups, after.group, () => ({ ports: after.ports, count: 0 })).count++;
  }
  if (before !== undefined) judge(placement, before.identity);
  if (after !== undefined && after.identity !== before?.identity) judge(placement, after.identity);
}

/** The endpoints that only one of two revisions of a list has. */
function difference(list: readonly Endpoint[], before: readonly Endpoint[]): { readonly added: Endpoint[]; readonly removed: Endpoint[] } {
  const { from, to } = newItems(list, before);
  const now = list.slice(from, to);
  const then = before.slice(from, to + before.length - list.length);
  const [isNow, wasThen] = [new Set(now), new Set(then)];
  return { added: now.filter((endpoint) => !wasThen.has(endpoint)), removed: then.filter((endpoint) => !isNow.has(endpoint)) };
}

const traitsOf = ({ metadata: { labels, ownerReferences }, ports }: EndpointSlice): Traits => ({
  owners: (ownerReferences ?? []).map(({ uid }) => uid),
  group: portsText(ports),
  labels,
});
const nameOf = ({ owners, group, labels }: Traits): string =>
  JSON.stringify([owners, group, Object.entries(labels ?? {}).sort(([a], [b]) => compareText(a, b))]);

/** What a write does not change is the same object. */
const haveSameTraits = (a: EndpointSlice, b: EndpointSlice): boolean =>
  a.ports === b.ports && a.metadata.labels === b.metadata.labels && a.metadata.ownerReferences === b.metadata.ownerReferences;

function summarize(
  { traits, open }: Placement['summary'],
  key: string,
  old: EndpointSlice | undefined,
  slice: EndpointSlice | undefined,
): void {
  if (old === undefined || slice === undefined || !haveSameTraits(slice, old)) {
    if (old !== undefined) {
      const name = nameOf(traitsOf(old));
      const kept = traits.get(name);
      if (kept !== undefined && --kept.count === 0) traits.delete(name);
    }
    if (slice !== undefined) {
      const of = traitsOf(slice);
      keptIn(traits, nameOf(of), () => ({ of, count: 0 })).count++;
    }
  }
  if (slice !== undefined && (slice.endpoints?.length ?? 0) < MOST_ENDPOINTS) open.add(key);
  else open.delete(key);
}

/**
 * Whether all slices belong to an owner, and have these labels and ports that pods still have. Then a sync leaves a full slice without changes as
 * it is.
 */
export const areUniform = ({ summary: { traits }, groups }: Placement, owner: string, labels: Texts): boolean =>
  [...traits.values()].every(
    ({ of }) => of.owners.includes(owner) && (groups.get(of.group)?.count ?? 0) > 0 && sameLabels(of.labels, labels),
  );

/** The slices with changes or room, in order. */
export function slicesToVisit({ slices, summary: { open } }: Placement, { changes }: Misplaced): readonly EndpointSlice[] {
  const toVisit = [...changes.keys()];
  for (const key of open) {
    const slice = slices.get(key);
    if (slice !== undefined && !changes.has(slice)) toVisit.push(slice);
  }
  // Slices with changes, and those with room, are treated in their order. One of each has no order.
  const isOrdered = changes.size <= 1 && toVisit.length - changes.size <= 1;
  if (isOrdered) return toVisit;
  const wanted = new Set(toVisit);
  return [...slices.values()].filter((slice) => wanted.has(slice));
}

/** Adds, changes or (undefined) removes a slice. Endpoints that are unchanged in it are skipped. */
export function putSlice(placement: Placement, key: string, slice: EndpointSlice | undefined): void {
  const { slices, places } = placement;
  const old = slices.get(key);
  if (slice === undefined) slices.delete(key);
  else slices.set(key, slice);
  summarize(placement.summary, key, old, slice);
  const group = portsText(slice?.ports);
  const hadGroup = old !== undefined && slice !== undefined && portsText(old.ports) === group;
  const { added, removed } = difference(slice?.endpoints ?? [], hadGroup ? (old.endpoints ?? []) : []);
  const isHinted = ({ hints }: Endpoint): boolean => hints !== undefined;
  if (added.some(isHinted) || (placement.hinted.has(key) && slice?.endpoints?.some(isHinted) === true)) placement.hinted.add(key);
  else placement.hinted.delete(key);
  const concerned = new Set<string>();
  for (const endpoint of hadGroup ? removed : (old?.endpoints ?? [])) {
    const identity = identityOf(endpoint);
    const at = places.get(identity);
    if (at?.delete(key) === true && at.size === 0) places.delete(identity);
    concerned.add(identity);
  }
  for (const endpoint of added) {
    const identity = identityOf(endpoint);
    keptIn(places, identity, () => new Map<string, Place>()).set(key, { state: stateOf(endpoint), group });
    concerned.add(identity);
  }
  for (const identity of concerned) judge(placement, identity);
}

/** The misplaced endpoints among these slices, by key. */
export function misplaced({ wanted, groups, places, wrong }: Placement, mine: ReadonlyMap<string, EndpointSlice>): Misplaced {
  const changes = new Map<EndpointSlice, Map<string, Endpoint | undefined>>();
  const missing = new Map<string, Endpoint[]>();
  for (const identity of wrong) {
    const entry = wanted.get(identity);
    let placed = false;
    for (const [key, place] of places.get(identity) ?? []) {
      const slice = mine.get(key);
      if (slice === undefined) continue;
      const stays = !placed && entry !== undefined && entry.group === place.group;
      if (stays) placed = true;
      if (stays && entry.state === place.state) continue;
      keptIn(changes, slice, () => new Map<string, Endpoint | undefined>()).set(identity, stays ? entry.endpoint : undefined);
    }
    if (!placed && entry !== undefined) keptIn(missing, entry.group, () => new Array<Endpoint>()).push(entry.endpoint);
  }
  return { groups, changes, missing };
}
