/**
 * Assigns endpoints to slices with as few changed slices as possible: endpoints that are gone are removed, slices that change anyway are
 * filled, then one with free capacity, then new ones. Slices are never rebalanced. Models: v1.24
 * pkg/controller/endpointslice/reconciler.go.
 */
import type { EndpointSlice } from '../../../apiserver/kinds/index.ts';
import { identityOf, portsText, stateOf, type Endpoint, type SlicePort } from '../../shared/index.ts';

export const MOST_ENDPOINTS = 100;

/** Endpoints with the same ports. */
export interface Wanted {
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

/** Slices to create, update and delete, with their endpoints. */
export interface SliceChanges {
  readonly create: readonly { readonly ports: readonly SlicePort[]; readonly endpoints: readonly Endpoint[] }[];
  readonly update: readonly { readonly slice: EndpointSlice; readonly endpoints: readonly Endpoint[] }[];
  readonly remove: readonly EndpointSlice[];
}

/** The difference between actual and wanted endpoints. */
export interface Misplaced {
  /** For each wanted set of ports: the ports, and the number of endpoints. */
  readonly groups: ReadonlyMap<string, { readonly ports: readonly SlicePort[]; readonly count: number }>;
  /** By slice, then by identity: endpoints to remove (undefined) or to replace. */
  readonly changes: ReadonlyMap<EndpointSlice, ReadonlyMap<string, Endpoint | undefined>>;
  /** By set of ports: endpoints that are in no slice yet. */
  readonly missing: ReadonlyMap<string, readonly Endpoint[]>;
}

/**
 * Plans slices for the wanted endpoints. `relabelled`: slices that need an update anyway; `keepOne`: without endpoints there is one empty
 * slice.
 */
export function arrange(
  existing: readonly EndpointSlice[],
  wanted: readonly Wanted[],
  relabelled: (slice: EndpointSlice) => boolean,
  keepOne: boolean,
): SliceChanges {
  return rearrange(existing, compare(existing, wanted), relabelled, keepOne);
}

/** The difference between the endpoints of slices and the wanted ones. */
function compare(existing: readonly EndpointSlice[], wanted: readonly Wanted[]): Misplaced {
  const groups = new Map<string, { readonly ports: readonly SlicePort[]; readonly count: number }>();
  const left = new Map<string, Map<string, Endpoint>>();
  for (const { ports, endpoints } of wanted) {
    const id = portsText(ports);
    const group = left.get(id) ?? new Map<string, Endpoint>();
    for (const endpoint of endpoints) group.set(identityOf(endpoint), endpoint);
    left.set(id, group);
    groups.set(id, { ports, count: group.size });
  }
  const changes = new Map<EndpointSlice, Map<string, Endpoint | undefined>>();
  for (const slice of existing) {
    const group = left.get(portsText(slice.ports));
    if (group === undefined) continue;
    const own = new Map<string, Endpoint | undefined>();
    for (const endpoint of slice.endpoints ?? []) {
      const identity = identityOf(endpoint);
      const now = group.get(identity);
      group.delete(identity);
      if (now === undefined || stateOf(now) !== stateOf(endpoint)) own.set(identity, now);
    }
    if (own.size > 0) changes.set(slice, own);
  }
  return { groups, changes, missing: new Map([...left].map(([id, group]) => [id, [...group.values()]])) };
}

/** The same from a known difference: it costs the number of changes, plus one visit of each slice. */
export function rearrange(
  existing: readonly EndpointSlice[],
  { groups, changes, missing }: Misplaced,
  relabelled: (slice: EndpointSlice) => boolean,
  keepOne: boolean,
): SliceChanges {
  const byPorts = new Map<string, EndpointSlice[]>();
  const remove: EndpointSlice[] = [];
  for (const slice of existing) {
    const id = portsText(slice.ports);
    if ((groups.get(id)?.count ?? 0) === 0) {
      remove.push(slice);
      continue;
    }
    const list = byPorts.get(id);
    if (list === undefined) byPorts.set(id, [slice]);
    else list.push(slice);
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
  if (keepOne && existing.length === remove.length && create.length === 0) create.push({ ports: [], endpoints: [] });
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

/** The endpoints of a slice after its changes. */
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
