/**
 * How fast nodes may be tainted for eviction: one node per zone and ten seconds, none while no node at all is ready (then it is the
 * control plane that is cut off, not the nodes). Models: v1.24 pkg/controller/nodelifecycle, handleDisruption and the zone tainters.
 * Simplified: a partly disrupted zone keeps the normal rate up to 50 nodes' worth of upstream's "no evictions" state.
 */
import type { Names, Node } from '../../api/index.ts';
import type { Delta } from '../../runtime/index.ts';
import { readyOf } from './health.ts';

const PER_NODE_MS = 10_000;
/** The tainter looks at its queue ten times a second. */
const TICK_MS = 100;

export interface Zones {
  readonly startedAt: number;
  readonly ready: Set<string>;
  readonly all: Set<string>;
  /** When the zone may taint its next node. */
  readonly freeAt: Map<string, number>;
}

export const createZones = (startedAt: number): Zones => ({ startedAt, ready: new Set(), all: new Set(), freeAt: new Map() });

/** Keeps the counts from deltas of nodes. */
export function countNode(zones: Zones, { type, key, object }: Delta): void {
  if (type === 'DELETED') { zones.all.delete(key); zones.ready.delete(key); return; }
  zones.all.add(key);
  if (readyOf(object as Node)?.status === 'True') zones.ready.add(key);
  else zones.ready.delete(key);
}

/** No node is ready: nothing is evicted. */
export const fullyDisrupted = (zones: Zones): boolean => zones.all.size > 0 && zones.ready.size === 0;

const zoneOf = (node: Node, names: Names): string => `${node.metadata.labels?.[names.key('topology', 'region')] ?? ''}:${node.metadata.labels?.[names.key('topology', 'zone')] ?? ''}`;

/** When a node may be tainted that was found at a pass, and books the place. */
export function bookTaint(zones: Zones, node: Node, names: Names, pass: number): number {
  const zone = zoneOf(node, names);
  const at = Math.max(pass + TICK_MS, zones.freeAt.get(zone) ?? 0);
  zones.freeAt.set(zone, at + PER_NODE_MS);
  return at;
}
