/**
 * Hints: the zone that should use an endpoint, so that traffic stays local and no endpoint gets more than a fifth above its share. Zones
 * get endpoints in proportion to the CPUs of their nodes; where that is impossible, there are no hints. Models: v1.24
 * pkg/controller/endpointslice/topologycache. Zones with equal proportions are ordered by name, where upstream uses the order of its maps.
 */
import type { EndpointSlice, Service, Node } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { compareText, milliUnitsOf, bump } from '../../../schema/values/index.ts';
import type { SliceChanges } from './slices.ts';
import { type Endpoint, isReady as isNodeReady } from '../../shared/index.ts';

/** The part of all CPUs that a zone has; undefined: some node has no zone or no known CPUs, or there is only one zone. */
type ZoneShares = ReadonlyMap<string, number> | undefined;

/** The allowed load of an endpoint beyond its share. */
const OVERLOAD = 0.2;
/** The smallest sufficient number of endpoints for a share. */
const enough = (desired: number): number => Math.ceil(desired * (1 / (1 + OVERLOAD)));

interface Allocation {
  readonly maximum: number;
  readonly desired: number;
}
type Counts = Map<string, number>;
const add = (counts: Counts, zone: string, by: number): void => {
  counts.set(zone, (counts.get(zone) ?? 0) + by);
};

export const wantsHints = ({ metadata: { annotations } }: Service, names: Names): boolean =>
  /^[aA]uto$/.test(annotations?.[names.key('service', 'topology-aware-hints')] ?? '');

const isReady = ({ conditions }: Endpoint): boolean => conditions.ready === true;
const hintOf = ({ hints }: Endpoint): string | undefined => hints?.forZones?.[0]?.name;
const withHint = (endpoint: Endpoint, zone: string): Endpoint => {
  if (hintOf(endpoint) === zone && endpoint.hints?.forZones?.length === 1) return endpoint;
  // Fields in published order: hints after the zone.
  return { ...endpoint, hints: { forZones: [{ name: zone }] } };
};
function withoutHint(endpoint: Endpoint): Endpoint {
  if (endpoint.hints === undefined) return endpoint;
  const { hints: _, ...rest } = endpoint;
  return rest;
}

/** The same changes with hints; unchanged slices are added where their hints no longer fit. */
export function withHints(changes: SliceChanges, unchanged: readonly EndpointSlice[], shares: ZoneShares): SliceChanges {
  const total = [...changes.create, ...changes.update, ...unchanged].reduce(
    (sum, { endpoints }) => sum + (endpoints ?? []).filter(isReady).length,
    0,
  );
  const allocations = allocate(shares, total);
  if (allocations === undefined) return withoutHints(changes, unchanged);
  const allocated: Counts = new Map();
  const stale = unchanged.filter((slice) => {
    const counts = countHints(slice, allocated, allocations);
    for (const [zone, count] of counts ?? []) add(allocated, zone, count);
    return counts === undefined;
  });
  const update = [...changes.update, ...stale.map((slice) => ({ slice, endpoints: slice.endpoints ?? [] }))];
  const open = [...changes.create, ...update].map(({ endpoints }) => [...endpoints]);
  for (const endpoints of open)
    for (const [at, endpoint] of endpoints.entries()) {
      if (!isReady(endpoint)) {
        endpoints[at] = withoutHint(endpoint);
        continue;
      }
      const { zone = '' } = endpoint;
      if (zone === '') return withoutHints(changes, unchanged);
      add(allocated, zone, 1);
      endpoints[at] = withHint(endpoint, zone);
    }
  redistribute(open, transfers(allocations, allocated));
  const hinted = (at: number): readonly Endpoint[] => open[at] ?? [];
  return {
    ...changes,
    create: changes.create.map((one, at) => ({ ...one, endpoints: hinted(at) })),
    update: update.map((one, at) => ({ ...one, endpoints: hinted(changes.create.length + at) })),
  };
}

export function withoutHints(changes: SliceChanges, unchanged: readonly EndpointSlice[]): SliceChanges {
  const plain = <T extends { readonly endpoints: readonly Endpoint[] }>(one: T): T =>
    one.endpoints.some(({ hints }) => hints !== undefined) ? { ...one, endpoints: one.endpoints.map(withoutHint) } : one;
  const hinted = unchanged.filter(({ endpoints }) => endpoints?.some(({ hints }) => hints !== undefined) === true);
  return {
    ...changes,
    create: changes.create.map(plain),
    update: [...changes.update, ...hinted.map((slice) => ({ slice, endpoints: slice.endpoints ?? [] }))].map(plain),
  };
}

export function isOverloaded(hints: ReadonlyMap<string, number>, shares: ZoneShares): boolean {
  if (hints.size === 0) return false;
  if (shares === undefined) return true;
  const total = [...hints.values()].reduce((sum, count) => sum + count, 0);
  return [...shares].some(([zone, share]) => (hints.get(zone) ?? -1) < enough(total * share));
}

export function hintsByZone(slices: Iterable<EndpointSlice>): ReadonlyMap<string, number> {
  const counts: Counts = new Map();
  for (const { endpoints } of slices)
    for (const endpoint of endpoints ?? []) {
      const zone = hintOf(endpoint);
      if (zone !== undefined) add(counts, zone, 1);
    }
  return counts;
}

function allocate(shares: ZoneShares, total: number): ReadonlyMap<string, Allocation> | undefined {
  if (shares === undefined || shares.size < 2 || shares.size > total) return undefined;
  const wanted = [...shares]
    .map(([zone, share]) => ({ zone, desired: share * total, minimum: enough(share * total) }))
    .sort((a, b) => compareText(a.zone, b.zone));
  const least = wanted.reduce((sum, { minimum }) => sum + minimum, 0);
  if (least > total) return undefined;
  return new Map(
    wanted.map(({ zone, desired, minimum }) => [zone, { maximum: minimum + total - least, desired: Math.max(desired, minimum) }]),
  );
}

/** The hints of a slice by zone; undefined: the slice has to change. */
function countHints(
  slice: EndpointSlice,
  allocated: ReadonlyMap<string, number>,
  allocations: ReadonlyMap<string, Allocation>,
): Counts | undefined {
  const counts: Counts = new Map();
  for (const endpoint of slice.endpoints ?? []) {
    if (!isReady(endpoint)) continue;
    const zone = hintOf(endpoint);
    if (zone === undefined || !allocations.has(zone)) return undefined;
    add(counts, zone, 1);
  }
  for (const [zone, count] of counts) if (count + (allocated.get(zone) ?? 0) > (allocations.get(zone)?.maximum ?? 0)) return undefined;
  return counts;
}

interface Transfers {
  readonly giving: Counts;
  readonly receiving: Counts;
}

/** Transfers of whole endpoints between zones, as long as they bring both closer to their shares. */
function transfers(allocations: ReadonlyMap<string, Allocation>, allocated: ReadonlyMap<string, number>): Transfers {
  const [spare, lacking]: [Counts, Counts] = [new Map(), new Map()];
  for (const [zone, { desired }] of allocations) {
    const over = (allocated.get(zone) ?? 0) - desired;
    if (over > 0) spare.set(zone, over);
    else if (over < 0) lacking.set(zone, -over);
  }
  const [giving, receiving]: [Counts, Counts] = [new Map(), new Map()];
  for (;;) {
    const [from, to] = [most(spare), most(lacking)];
    if (from === undefined || to === undefined || (from.count < 1 && to.count < 1) || from.count < 0.5 || to.count < 0.5)
      return { giving, receiving };
    for (const [counts, left, zone] of [
      [giving, spare, from.zone],
      [receiving, lacking, to.zone],
    ] as const) {
      add(counts, zone, 1);
      add(left, zone, -1);
    }
  }
}

function most(counts: ReadonlyMap<string, number>): { readonly zone: string; readonly count: number } | undefined {
  let best: { readonly zone: string; readonly count: number } | undefined;
  for (const [zone, count] of counts) if (count > (best?.count ?? 0)) best = { zone, count };
  return best;
}

function redistribute(open: readonly Endpoint[][], { giving, receiving }: Transfers): void {
  for (const endpoints of open)
    for (const [at, endpoint] of endpoints.entries()) {
      const { zone = '' } = endpoint;
      if (!isReady(endpoint) || (giving.get(zone) ?? 0) < 1) continue;
      const to = [...receiving].find(([, count]) => count > 0)?.[0];
      if (to === undefined) return;
      endpoints[at] = withHint(endpoint, to);
      add(giving, zone, -1);
      add(receiving, to, -1);
    }
}

interface Place {
  readonly zone: string;
  readonly milliCpu: number;
}

/** The distribution of CPUs over zones, updated one node at a time. Models: v1.24 pkg/controller/endpointslice/topologycache SetNodes. */
export type Zones = ReturnType<typeof createZones>;

export function createZones(names: Names) {
  const places = new Map<string, Place>();
  const cpuByZone = new Map<string, number>();
  /** `unknown`: the nodes without a zone, or without known CPUs. */
  const state: { unknown: number; shares: { readonly value: ZoneShares } | undefined } = { unknown: 0, shares: undefined };
  const label = names.key('topology', 'zone');
  const excluded = ['control-plane', 'master'].map((role) => names.key('node-role', role));

  const placeOf = (node: Node): Place | undefined => {
    const { metadata, status } = node;
    const { labels = {} } = metadata;
    if (excluded.some((role) => role in labels) || !isNodeReady(node)) return undefined;
    return { zone: labels[label] ?? '', milliCpu: milliUnitsOf(status.allocatable?.['cpu'] ?? '0') };
  };
  const count = ({ zone, milliCpu }: Place, by: 1 | -1): void => {
    if (zone === '' || milliCpu === 0) state.unknown += by;
    else bump(cpuByZone, zone, by * milliCpu);
  };

  return {
    /** Updates with the present state of a node. */
    see(node: Node, gone: boolean): void {
      const { name } = node.metadata;
      const before = places.get(name);
      const after = gone ? undefined : placeOf(node);
      if (before?.zone === after?.zone && before?.milliCpu === after?.milliCpu) return;
      if (before !== undefined) count(before, -1);
      if (after === undefined) places.delete(name);
      else {
        places.set(name, after);
        count(after, 1);
      }
      state.shares = undefined;
    },
    shares(): ZoneShares {
      const total = [...cpuByZone.values()].reduce((sum, cpu) => sum + cpu, 0);
      state.shares ??= {
        value: state.unknown > 0 || cpuByZone.size < 2 ? undefined : new Map([...cpuByZone].map(([zone, cpu]) => [zone, cpu / total])),
      };
      return state.shares.value;
    },
  };
}
