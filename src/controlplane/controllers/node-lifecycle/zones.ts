/**
 * The rate at which nodes are tainted for eviction, zone by zone: one node in ten seconds; while most nodes of a zone are not ready, one in
 * a hundred seconds, or none in a small zone; none at all while no node of the cluster is ready, because then the control plane is most
 * likely cut off. Models: v1.24 pkg/controller/nodelifecycle, handleDisruption, ComputeZoneState and the zones' rate-limited tainters.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import type { Delta } from '../../runtime/index.ts';
import { readyOf } from './health.ts';

const PER_NODE_MS = 10_000;
const PER_NODE_SLOWLY_MS = 100_000;
/** The tainter checks its queue ten times a second. */
const TICK_MS = 100;
/** Larger zones continue at a low rate, smaller ones stop. */
const LARGE_ZONE = 50;
/** A zone is partly disrupted when more than two nodes, and at least this percentage of them, are not ready. */
const UNHEALTHY_PERCENT = 55;

export interface Zone {
  /** Nodes, and whether each is ready. */
  readonly nodes: Map<string, boolean>;
  ready: number;
  /** Time between two taints; Infinity: none. */
  perNodeMs: number;
  /** When the next node may be tainted. */
  freeAt: number;
  /** The time at which each queued node is tainted. */
  readonly turns: Map<string, number>;
}

export type Zones = ReturnType<typeof createZones>;

export const createZones = (startedAt: number) => ({
  startedAt,
  byName: new Map<string, Zone>(),
  zoneOf: new Map<string, string>(),
  /** No node is ready. */
  allSilent: false,
  /** The last delta changed `allSilent`: every node is reconciled. */
  turned: false,
  /** When `allSilent` last ended: nodes get a full grace period from then. */
  recoveredAt: -Infinity,
});

const zoneName = (node: Node, names: Names): string =>
  `${node.metadata.labels?.[names.key('topology', 'region')] ?? ''}:${node.metadata.labels?.[names.key('topology', 'zone')] ?? ''}`;
const counts = (node: Node, names: Names): boolean => node.metadata.labels?.[names.key('node', 'exclude-disruption')] === undefined;

/** Updates the counts, and the rates that follow from them, with one delta of a node. */
export function countNode(zones: Zones, { type, key, object: node }: Delta<'Node'>, names: Names, now: number): void {
  const before = zones.zoneOf.get(key);
  const after = type === 'DELETED' || !counts(node, names) ? undefined : zoneName(node, names);
  if (before !== undefined && before !== after) setNode(zones.byName.get(before), key, undefined);
  if (after === undefined) zones.zoneOf.delete(key);
  else {
    zones.zoneOf.set(key, after);
    let zone = zones.byName.get(after);
    if (zone === undefined)
      zones.byName.set(after, (zone = { nodes: new Map(), ready: 0, perNodeMs: PER_NODE_MS, freeAt: -Infinity, turns: new Map() }));
    setNode(zone, key, readyOf(node)?.status === 'True');
  }
  const allSilent = zones.zoneOf.size > 0 && !hasReady(zones);
  zones.turned = allSilent !== zones.allSilent;
  zones.allSilent = allSilent;
  if (zones.turned && !allSilent) zones.recoveredAt = now;
  for (const name of zones.turned ? zones.byName.keys() : [before, after]) {
    const zone = name === undefined ? undefined : zones.byName.get(name);
    if (zone !== undefined) setRate(zone, allSilent, now);
  }
}

function setNode(zone: Zone | undefined, key: string, ready: boolean | undefined): void {
  if (zone === undefined) return;
  if (zone.nodes.get(key) === true) zone.ready--;
  if (ready !== false) zone.turns.delete(key);
  if (ready === undefined) zone.nodes.delete(key);
  else zone.nodes.set(key, ready);
  if (ready === true) zone.ready++;
}

function hasReady(zones: Zones): boolean {
  for (const { ready } of zones.byName.values()) if (ready > 0) return true;
  return false;
}

/** A zone whose rate changes waits a full interval if it was waiting before; its nodes are queued again at their next pass. */
function setRate(zone: Zone, allSilent: boolean, now: number): void {
  const perNodeMs = rateOf(zone, allSilent);
  if (perNodeMs === zone.perNodeMs) return;
  const waiting = zone.perNodeMs === Infinity || zone.freeAt > now;
  zone.perNodeMs = perNodeMs;
  zone.turns.clear();
  zone.freeAt = waiting && perNodeMs !== Infinity ? now + perNodeMs : now;
}

function rateOf({ nodes, ready }: Zone, allSilent: boolean): number {
  if (allSilent) return Infinity;
  const unready = nodes.size - ready;
  const partly = ready > 0 && unready > 2 && unready * 100 >= nodes.size * UNHEALTHY_PERCENT;
  return !partly ? PER_NODE_MS : nodes.size > LARGE_ZONE ? PER_NODE_SLOWLY_MS : Infinity;
}

const zoneWith = (zones: Zones, key: string): Zone | undefined => zones.byName.get(zones.zoneOf.get(key) ?? '');

export const mayTaint = (zones: Zones, key: string): boolean => zoneWith(zones, key)?.perNodeMs !== Infinity;

/** The time at which the node is tainted; undefined: it is not queued. */
export const taintTimeOf = (zones: Zones, key: string): number | undefined => zoneWith(zones, key)?.turns.get(key);

/** Queues a node that a pass found unready, and returns its time; undefined while the zone taints no nodes. */
export function queueTaint(zones: Zones, key: string, pass: number): number | undefined {
  const zone = zoneWith(zones, key);
  if (zone === undefined) return pass + TICK_MS;
  const fixed = zone.turns.get(key);
  if (fixed !== undefined && fixed > pass) return fixed;
  if (zone.perNodeMs === Infinity) return undefined;
  const at = Math.max(pass + TICK_MS, zone.freeAt);
  zone.turns.set(key, at);
  zone.freeAt = at + zone.perNodeMs;
  return at;
}
