/** The pending events of a cluster whose order may matter, each with the data that identifies its choice point. */
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
  /** The key of its object, as in the store or the work queue. */
  readonly key?: string;
  /** The watch stream, which delivers in order. */
  readonly stream?: number;
  /** It is the end of a delay: the decision follows a little later in the same instant. */
  readonly wakes?: true;
  /** Whether a choice point belongs to this event. */
  isAt?(point: Point): boolean;
}

/** Events within this time after the first one are included, milliseconds. */
const SOON_MS = 1_000;
const MOST = 12;

/** Returns the next events, in order, without lease renewals and without events on which no decision depends. */
export function upcomingIn(cluster: Cluster, reached: readonly Point[]): readonly Upcoming[] {
  const pending = cluster.kernel.pending().filter(({ background, event: { type } }) => !background && !ASIDE.has(type));
  const until = (pending[0]?.at ?? 0) + SOON_MS;
  return pending
    .filter(({ at }) => at <= until)
    .slice(0, MOST)
    .map((each) => upcomingOf(cluster, each, reached));
}

/** The order of these does not depend on choices: Events are recorded in place, and a clock is set after the watch events before it. */
const ASIDE: ReadonlySet<ClusterEvent['type']> = new Set<ClusterEvent['type']>(['emit', 'expire', 'skew']);

/** Describes a pending event; `reached`: the choice points that the run has reached so far. */
export function upcomingOf(
  { runtime: { resolver } }: Cluster,
  { at, event, part }: Pending<ClusterEvent>,
  reached: readonly Point[],
): Upcoming {
  const plain = { at, what: describePending(event, part, resolver) };
  if (event.type === 'deliver') {
    const stream = event.to[part] ?? -1;
    const process = resolver.receiverOf(stream);
    const isAt = (point: Point): boolean =>
      point.sort === 'see' && point.process === process && point.who === event.kind && point.revision === event.revision;
    const key = reached.findLast(isAt)?.key;
    if (process === undefined || key === undefined) return { ...plain, stream };
    return { at, what: `${process} sees ${event.kind} ${shortKey(key)}, revision ${event.revision}`, process, key, stream, isAt };
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
