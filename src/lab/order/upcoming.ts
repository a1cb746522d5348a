/** The pending events of a cluster whose order may matter, each with the information that leads to its choice point. */
import type { Pending } from '../../engine/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { describePending, type ClusterEvent } from '../../controlplane/runtime/index.ts';
import type { Point } from '../choices/index.ts';
import { shortKey } from '../trace/index.ts';

/** A pending event. */
export interface Upcoming {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** As a clause: `job decides about pi`. */
  readonly what: string;
  readonly process?: string;
  /** What it is about, as a store or a queue calls it. */
  readonly key?: string;
  /** What keeps its order among itself. */
  readonly stream?: number;
  /** A delay that ends: what it leads to comes a little later in its instant. */
  readonly wakes?: true;
  /** Whether it is asked about at a point. */
  isAt?(point: Point): boolean;
}

/** Events this long after the first one count as soon. */
const SOON_MS = 1_000;
const MOST = 12;

/** The next events, in order; renewals of leases, and events that no decision depends on, are left out. */
export function upcomingIn(cluster: Cluster, heard: readonly Point[]): readonly Upcoming[] {
  const pending = cluster.kernel.pending().filter(({ background, event: { type } }) => !background && !ASIDE.has(type));
  const until = (pending[0]?.at ?? 0) + SOON_MS;
  return pending
    .filter(({ at }) => at <= until)
    .slice(0, MOST)
    .map((each) => upcomingOf(cluster, each, heard));
}

/** Records of events come in their place whoever chooses, and a clock is set behind the news that go before it. */
const ASIDE: ReadonlySet<ClusterEvent['type']> = new Set<ClusterEvent['type']>(['emit', 'expire', 'skew']);

/** One of what is pending, by what it does; `heard`: the points that the run has come by so far. */
export function upcomingOf(
  { runtime: { resolver } }: Cluster,
  { at, event, part }: Pending<ClusterEvent>,
  heard: readonly Point[],
): Upcoming {
  const plain = { at, what: describePending(event, part, resolver) };
  if (event.type === 'deliver') {
    const stream = event.to[part] ?? -1;
    const process = resolver.receiverOf(stream);
    const isAt = (point: Point): boolean =>
      point.sort === 'see' && point.process === process && point.who === event.kind && point.revision === event.revision;
    const key = heard.findLast(isAt)?.key;
    if (process === undefined || key === undefined) return { ...plain, stream };
    return { at, what: `${process} hears of ${event.kind} ${shortKey(key)}, revision ${event.revision}`, process, key, stream, isAt };
  }
  if (event.type !== 'due' && event.type !== 'reconcile' && event.type !== 'apply') return plain;
  const by = resolver.controllerOf(event.running);
  const key = resolver.keyOf(event.running, event.keyId);
  if (by === undefined || key === undefined) return plain;
  const { process, controller } = by;
  const sort = event.type === 'apply' ? 'write' : 'decide';
  return {
    at,
    what: event.type === 'apply' ? `${controller} writes for ${shortKey(key)}` : `${controller} decides about ${shortKey(key)}`,
    process,
    key,
    ...(event.type === 'due' ? { wakes: true } : {}),
    isAt: (point) => point.sort === sort && point.process === process && point.who === controller && point.key === key,
  };
}
