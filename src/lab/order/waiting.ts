/**
 * The pending events at a step of a run, and the choices that put one of them first, or later. The run is replayed up to the step, and a
 * little further, so that each event reaches its choice point and its address is known. To put one event first, all earlier ones are held
 * until it has happened.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import { type ClusterEvent, describePending } from '../../controlplane/runtime/index.ts';
import type { Pending } from '../../engine/index.ts';
import { listening, type Point, replaying, sortOf } from '../choices/index.ts';
import type { Definitions } from '../definitions/index.ts';
import type { InjectedFault, PointChoice, Scenario } from '../scenario/index.ts';
import { replayTo } from '../simulation/index.ts';
import { shortKey } from '../trace/index.ts';
import { formatDurationMs, present } from '../../schema/values/index.ts';

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
function upcomingIn(cluster: Cluster, reached: readonly Point[]): readonly Upcoming[] {
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

/** A pending event, with the address of the point at which it can be held. */
export interface Held extends Upcoming {
  readonly address?: string;
}

/**
 * Returns the choices that hold an event until another has happened; none where the event has no point. `before`: choices already made at
 * those points.
 */
export function letPass(first: Held, { address, at }: Held, before: ReadonlyMap<string, InjectedFault>): readonly Delay[] {
  if (address === undefined) return [];
  const ms = first.at - at;
  // A held decision runs at the end of its instant, after all events due by then and their effects.
  return [held(address, ms === 0 && sortOf(address) === 'decide' ? 0 : ms + 1, before)];
}

/** Returns the choice that holds an event; the delay of a choice already made at its point is added. */
function held(address: string, ms: number, before: ReadonlyMap<string, InjectedFault>): Delay {
  const known = before.get(address);
  const already = known?.do === 'hold' || known?.do === 'late' ? known.ms : 0;
  return { at: address, injectedFault: { do: sortOf(address) === 'write' ? 'late' : 'hold', ms: ms + already } };
}

export interface Delay extends PointChoice {
  readonly injectedFault: Extract<InjectedFault, { readonly do: 'hold' | 'late' }>;
}

/** Returns the text from which `readForkStep` reads these choices. */
export const typedChoices = (delays: readonly Delay[]): string =>
  `choices: [${delays.map(({ at, injectedFault }) => `{ at: ${JSON.stringify(at)}, ${injectedFault.do}: ${formatDurationMs(injectedFault.ms)} }`).join(', ')}]`;

/** A pending event, with the choices that change its place in the order. */
export interface Waiting {
  /** As a clause: `job decides about pi`. */
  readonly what: string;
  /** When it happens without new choices, milliseconds since the epoch. */
  readonly at: number;
  readonly process?: string;
  /** The key of its object, as in the store or the work queue: `default/pi`. */
  readonly key?: string;
  /** The choices that put it first; empty: it is the first. Absent: none can, and `because` gives the reason. */
  readonly first?: readonly Delay[];
  readonly because?: string;
  /** Returns the choices that delay it by so much; absent: it cannot be held. */
  later?(ms: number): readonly Delay[];
}

/** Returns the pending events at a step (0: the start) of a run of a scenario, the next first. */
export function waitingAt(scenario: Scenario, seed: number, step: number, own?: Definitions): readonly Waiting[] {
  const reached: Point[] = [];
  const chooser = listening((point) => void reached.push(point), replaying(scenario.choices ?? []));
  const replay = replayTo(scenario, seed, step, present({ chooser, with: own }));
  const upcoming = upcomingIn(replay.cluster, reached);
  const last = upcoming.at(-1)?.at;
  if (last === undefined) return [];
  const from = reached.length;
  // The points of watch events are reached when they are sent, those of decisions and writes when they are due.
  while (replay.cluster.now <= last && replay.goOn(replay.step + 1));
  const ahead = reached.slice(from);
  const held = upcoming.map((each): Held => {
    const { address } =
      (each.stream === undefined ? ahead.find((point) => each.isAt?.(point)) : reached.findLast((point) => each.isAt?.(point))) ?? {};
    return address === undefined ? each : { ...each, what: `${each.what}${requestIn(address)}`, address };
  });
  const before = new Map((scenario.choices ?? []).map(({ at, injectedFault }) => [at, injectedFault]));
  return held.map((each, at) => waitingOf(each, held.slice(0, at), before));
}

/** Returns `: create Pod` for a request; the empty string for other points. */
const requestIn = (address: string): string => (sortOf(address) === 'write' ? (/: [^:]*(?= #\d+$)/.exec(address)?.[0] ?? '') : '');

function waitingOf(each: Held, earlier: readonly Held[], before: ReadonlyMap<string, InjectedFault>): Waiting {
  const { what, at, process, key, address } = each;
  const because = hindrance(each, earlier);
  return present({
    what,
    at,
    process,
    key,
    first: because === undefined ? earlier.flatMap((other) => letPass(each, other, before)) : undefined,
    because,
    later: address === undefined ? undefined : (ms: number) => [held(address, ms, before)],
  });
}

/** Returns why an event cannot be put before the earlier ones; undefined: it can. */
function hindrance(each: Held, earlier: readonly Held[]): string | undefined {
  if (each.stream !== undefined && earlier.some(({ stream }) => stream === each.stream)) return 'the events of one watch keep their order';
  const fixed = earlier.find(({ address }) => address === undefined);
  return fixed === undefined ? undefined : `an earlier event cannot be held: ${fixed.what}`;
}
