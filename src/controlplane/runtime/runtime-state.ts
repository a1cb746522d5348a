/**
 * The state of the runtime: its processes, and the numbers by which pending events name their parts. Of the open streams, those that carry
 * a change: those of its kind, and, through a map, those filtered by its node or its name, so that no change visits one subscriber per
 * node. A stream delivers in order, however its latency varies.
 */
import type { Pending } from '../../engine/index.ts';
import { createCache } from './cache.ts';
import type { RuntimeContext, Points } from './context.ts';
import type { Enqueue, ObserveContext, Outcome, ReconcileInput } from './contract.ts';
import type { KeyState } from './key-state.ts';
import type { ClusterEvent, EventResolver, Recurrences } from './pending.ts';
import type { Process, ProcessSpec, Running, Stream } from './process.ts';
import type { Recorder } from './recorder.ts';
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';

export type TimerListener = (process: string, controller: string, key: string) => void;

export interface RuntimeState {
  readonly context: RuntimeContext;
  readonly processes: Map<string, Process>;
  /** By number. */
  readonly runnings: (Running | undefined)[];
  readonly streams: Streams;
  readonly recorder: Recorder;
  readonly recurrences: Recurrences;
  /** Whether the renewals of a lease are elided: part of a decision's input. */
  readonly renewalInterval: ReconcileInput['renewalInterval'];
  /** The strategy that is called at choice points; undefined: none. */
  points: Points | undefined;
  /** Decisions that a choice point has postponed, until they are made: the point is not called again for them. */
  readonly held: Set<Pending<ClusterEvent>>;
  /** For each process with a skewed clock, the function that allows elision again. */
  readonly skews: Map<Process, () => void>;
  /** Last reasons of keys that are close to the limit on decisions at one instant. */
  readonly lastWhys: Map<KeyState, string>;
  readonly onTimer: Set<TimerListener>;
}

/** What an outcome, or a fault between its writes, may do to its process. */
export interface Control {
  crash(process: Process, causes: readonly number[]): void;
  /** An outcome decides about its whole process. */
  turn(process: Process, what: NonNullable<Outcome['process']>, causes: readonly number[]): void;
}

/** A process that has not started; `groups`: the groups of its user at the server. */
export function newProcess(spec: ProcessSpec, number: number, groups: readonly string[], now: number): Process {
  return {
    spec,
    next: undefined,
    number,
    user: { name: spec.name, groups },
    incarnation: 0,
    up: false,
    changedAt: now,
    leading: false,
    listsAt: undefined,
    skewMs: spec.skewMs ?? 0,
    skews: [],
    reviews: undefined,
    ends: [],
    limiter: undefined,
    eventLimiter: undefined,
    cache: createCache(),
    streams: new Map(),
    running: new Map(),
    unchanged: undefined,
  };
}

/** Resolves numbers in pending events by the present controllers and streams. */
export const resolverOf = ({ runnings, streams }: Pick<RuntimeState, 'runnings' | 'streams'>): EventResolver => ({
  controllerOf(number) {
    const running = runnings[number];
    return running === undefined ? undefined : { process: running.process.spec.name, controller: running.controller.name };
  },
  keyOf: (number, keyId) => runnings[number]?.queue.at(keyId)?.key,
  receiverOf: (number) => streams.byNumber(number)?.process.spec.name,
});

/** The input of a controller's mappings, as of now. */
export function observing({ context: { kernel } }: RuntimeState, running: Running): ObserveContext {
  const { observing: context, process } = running;
  const { now } = kernel;
  if (context.now !== now + process.skewMs) context.now = now + process.skewMs;
  if (context.elapsed !== now) context.elapsed = now;
  return context;
}

const isList = (wanted: readonly Enqueue[] | Enqueue): wanted is readonly Enqueue[] => Array.isArray(wanted);

/** Puts keys into a controller's queue, at once or later. */
export function enqueue(
  runtimeState: RuntimeState,
  running: Running,
  wanted: readonly Enqueue[] | Enqueue | undefined,
  cause: number,
): void {
  if (wanted === undefined) return;
  touch(running);
  if (typeof wanted === 'string') running.queue.add(wanted, cause);
  else if (!isList(wanted)) running.queue.addAt(wanted.key, runtimeState.context.kernel.now + wanted.afterMs, cause);
  else for (let at = 0; at < wanted.length; at++) enqueue(runtimeState, running, wanted[at], cause);
}

/** Call before a controller observes or does something. */
export function touch(running: Running): void {
  if (running.unchanged !== undefined) running.unchanged = undefined;
  touchProcess(running.process);
}

/** Call before a stream, or its table, changes. */
export function touchStream(stream: Stream): void {
  if (stream.unchanged !== undefined) stream.unchanged = undefined;
  touchProcess(stream.process);
}

/** Call before its streams or controllers come and go, or one of them changes. */
export function touchProcess(process: Process): void {
  if (process.unchanged !== undefined) process.unchanged = undefined;
}

/** Streams, and the numbers by which a pending delivery names them. Both are immutable: a new or closed stream makes new ones. */
export interface Audience {
  readonly streams: readonly Stream[];
  readonly numbers: readonly number[];
}

interface Streams {
  add(stream: Omit<Stream, 'number'>): Stream;
  close(stream: Stream): void;
  /** The stream of a number; undefined once it is closed. */
  byNumber(number: number): Stream | undefined;
  /** Streams that carry an object, in order of subscription (streams without a filter first). */
  following(kind: string, object: ApiObject): Audience;
}

const nodeNameOf = (object: ApiObject): string | undefined => (object['spec'] as { readonly nodeName?: string } | undefined)?.nodeName;

const audienceOf = (streams: readonly Stream[]): Audience => ({ streams, numbers: streams.map(({ number }) => number) });
const NO_AUDIENCE = audienceOf([]);

/**
 * Streams of one kind; `all` are those without a filter. Audiences are computed when a change first needs them, because thousands of agents
 * subscribe one after the other: `toAll` for objects of nodes without a subscriber, `onNode` for those of a node.
 */
interface Followers {
  readonly kind: string;
  all: Stream[];
  toAll: Audience | undefined;
  readonly nodeName: Map<string, Stream[]>;
  readonly name: Map<string, Stream[]>;
  readonly onNode: Map<string, Audience>;
}

/** Whether a stream with a filter carries an object. */
export function carries({ only }: Stream, object: ApiObject): boolean {
  if (only === undefined) return true;
  return only.index === 'name' ? object.metadata.name === only.value : nodeNameOf(object) === only.value;
}

/** Places for changes in flight that a stream keeps for later ones. */
const MOST_PLACES = 256;

/** Takes the next change in flight, if it has this revision: a relist cancels the deliveries planned before it. */
export function takeNext(stream: Stream, revision: number): Change | undefined {
  const change = stream.inFlight[stream.head];
  if (change === undefined || change.revision !== revision) return undefined;
  touchStream(stream);
  // Delivered changes are released at once, or they would survive many garbage collections.
  stream.inFlight[stream.head++] = undefined;
  if (stream.head === stream.tail) {
    if (stream.tail > MOST_PLACES) stream.inFlight = [];
    stream.head = 0;
    stream.tail = 0;
  } else if (stream.head > MOST_PLACES && stream.head * 2 > stream.tail) {
    stream.inFlight = stream.inFlight.slice(stream.head, stream.tail);
    stream.tail -= stream.head;
    stream.head = 0;
  }
  return change;
}

/** No streams yet. */
export function createStreams(): Streams {
  const kinds = new Map<string, Followers>();
  const byNumber: (Stream | undefined)[] = [];
  // Pods and their Events mostly change in turns.
  const recent: { last: Followers | undefined; before: Followers | undefined } = { last: undefined, before: undefined };
  const known = (kind: string): Followers | undefined => {
    if (recent.last?.kind === kind) return recent.last;
    const found = recent.before?.kind === kind ? recent.before : kinds.get(kind);
    if (found === undefined) return undefined;
    recent.before = recent.last;
    recent.last = found;
    return found;
  };
  return {
    add(parts) {
      const stream: Stream = { number: byNumber.length, ...parts };
      byNumber.push(stream);
      enter(followersOf(kinds, stream.kind), stream);
      return stream;
    },
    close(stream) {
      byNumber[stream.number] = undefined;
      // Expectations on a closed stream count as satisfied.
      stream.seenRevision = Infinity;
      leave(followersOf(kinds, stream.kind), stream);
    },
    byNumber: (number) => byNumber[number],
    following(kind, object) {
      const followers = known(kind);
      if (followers === undefined) return NO_AUDIENCE;
      const node = followers.nodeName.size === 0 ? undefined : nodeNameOf(object);
      const general = node === undefined ? toAll(followers) : onNode(followers, node);
      const byName = followers.name.size === 0 ? undefined : followers.name.get(object.metadata.name);
      return byName === undefined ? general : audienceOf([...general.streams, ...byName]);
    },
  };
}

function followersOf(kinds: Map<string, Followers>, kind: string): Followers {
  let followers = kinds.get(kind);
  if (followers === undefined) {
    followers = { kind, all: [], toAll: undefined, nodeName: new Map(), name: new Map(), onNode: new Map() };
    kinds.set(kind, followers);
  }
  return followers;
}

// A copy, because streams may be opened or closed while a change is delivered.
const toAll = (followers: Followers): Audience => (followers.toAll ??= audienceOf([...followers.all]));

function onNode(followers: Followers, node: string): Audience {
  const known = followers.onNode.get(node);
  if (known !== undefined) return known;
  const byNode = followers.nodeName.get(node);
  const joined = byNode === undefined ? toAll(followers) : audienceOf([...followers.all, ...byNode]);
  followers.onNode.set(node, joined);
  return joined;
}

/** Clears the audiences that include a stream. */
function forget(followers: Followers, { only }: Stream): void {
  if (only === undefined) {
    followers.toAll = undefined;
    followers.onNode.clear();
  } else if (only.index === 'nodeName') followers.onNode.delete(only.value);
}

function enter(followers: Followers, stream: Stream): void {
  forget(followers, stream);
  if (stream.only === undefined) {
    followers.all.push(stream);
    return;
  }
  const map = followers[stream.only.index];
  const list = map.get(stream.only.value);
  if (list === undefined) map.set(stream.only.value, [stream]);
  else list.push(stream);
}

function leave(followers: Followers, stream: Stream): void {
  forget(followers, stream);
  if (stream.only === undefined) {
    followers.all = followers.all.filter((other) => other !== stream);
    return;
  }
  const map = followers[stream.only.index];
  const left = (map.get(stream.only.value) ?? []).filter((other) => other !== stream);
  if (left.length === 0) map.delete(stream.only.value);
  else map.set(stream.only.value, left);
}
