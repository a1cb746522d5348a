/**
 * The records of the runtime: a process with its cache, its running controllers, and the watch streams that feed it. A crash loses all of
 * it; only the store survives. Of the open streams, those that carry a change: those of its kind, and, through a map, those filtered by its
 * node or its name, so that no change visits one subscriber per node. A stream delivers in order, however its latency varies.
 */
import type { RandomStream } from '../../engine/random.ts';
import type { ApiObject, FeatureGates } from '../../apiserver/machinery/index.ts';
import type { User } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cache, KindTable } from './cache.ts';
import type { Controller } from './contract.ts';
import type { Correlator } from './event-correlator.ts';
import type { Delay, Limiter, RequestRate } from './rate.ts';
import type { ChangeClass, FieldBits, ObserveContext, Wanted, Watch } from './watches.ts';
import type { KeyState, WorkQueue } from './work-queue.ts';

/** A controller as one incarnation of a process runs it. */
export interface Running {
  /** The number by which pending events name it; never reused, so pending events of a crashed process find nothing. */
  readonly number: number;
  readonly process: Process;
  readonly controller: Controller;
  readonly queue: WorkQueue;
  /** Undefined before its first event: most of thousands of controllers record none. */
  correlator: Correlator | undefined;
  readonly random: RandomStream;
  readonly state: unknown;
  /** Keys with unsatisfied expectations, in the order in which their outcomes concluded. */
  readonly awaiting: { keys: KeyState[]; head: number };
  /** Stands for its state while that is as it was described; undefined: it may have changed (`described.ts`). */
  unchanged: object | undefined;
  /** The input of its mappings: one record, updated before each use. */
  readonly observing: { -readonly [K in keyof ObserveContext]: ObserveContext[K] };
}

/** A controller's watch on a kind. */
export interface Listener {
  readonly running: Running;
  readonly watch: Watch;
  readonly wanted: Wanted;
}

/** The channel that carries the changes of one kind from the store to a process. */
export interface Stream {
  /** The number by which pending events name it; never reused. */
  readonly number: number;
  readonly process: Process;
  readonly kind: string;
  readonly only?: { readonly index: 'nodeName' | 'name'; readonly value: string };
  /** The table that it fills. */
  readonly kindTable: KindTable;
  /** Renewals of leases may be elided. */
  readonly unseenRenewals: boolean;
  /** The receivers of its deltas, and the fields that they have declared. */
  readonly listeners: Listener[];
  readonly fields: FieldBits;
  /** A listener does not want every change. */
  chooses: boolean;
  /** Listeners by class of change; cleared when a listener is added. */
  interested: (ChangeClass & { readonly listeners: readonly Listener[] })[] | undefined;
  /** Changes in flight, oldest first, from `head` to `tail`. The other places are empty and used again: a list that grows from nothing for each
   * change would take memory each time. */
  inFlight: (Change | undefined)[];
  head: number;
  tail: number;
  /** Instant of the last planned delivery: the next is never earlier. */
  lastAt: number;
  /** The process has seen every change up to this revision. */
  seenRevision: number;
  /** As of a controller. */
  unchanged: object | undefined;
}

export interface ProcessSpec {
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** A program outside the cluster: it has no controllers here, and the server hears of it by its requests. */
  readonly isClient?: true;
  /** The only controller that runs until one of its outcomes says `process: 'lead'`; then the others start. */
  readonly elector?: Controller;
  /** The node of this agent, where its name differs from that of the machine. */
  readonly node?: string;
  /** Gates of this process; absent: those of the cluster. */
  readonly gates?: FeatureGates;
  /** The configuration file and flags that it was started with, to show them. */
  readonly start?: { readonly config?: Readonly<Record<string, unknown>>; readonly flags?: readonly string[] };
  /** Why it does not start: what is wrong with its file and flags. */
  readonly refusal?: string;
  /** Whether the server authenticates it at an instant; absent: always. Its requests are refused with 401 otherwise. */
  isAuthenticated?(now: number): boolean;
  /** The specification for its next start, where the configuration has changed meanwhile. */
  anew?(): ProcessSpec | undefined;
  /** Added to the process's clock, milliseconds. */
  readonly skewMs?: number;
  /** Latency of its requests, instead of the cluster's; a driver's delays are part of it. */
  readonly apiLatency?: Delay;
  /** Limit on the requests of its controllers; absent: none. Events and elections use clients of their own. */
  readonly requestRate?: RequestRate;
  /** Limit on the events that they record; absent: none. */
  readonly eventRate?: RequestRate;
  /** A controller whose client has no limit: an agent's reports about its node. */
  readonly unlimited?: Controller;
}

export interface Process {
  spec: ProcessSpec;
  /** The specification that it uses from its next start on. */
  next: ProcessSpec | undefined;
  /** In order of addition, from 0. */
  readonly number: number;
  /** Its user at the server. */
  readonly user: User;
  incarnation: number;
  up: boolean;
  /** Since when it has been up or down, milliseconds since the epoch. */
  changedAt: number;
  /** Added to its clock, milliseconds. A fault may change it. */
  skewMs: number;
  /** Active skews of its clock, oldest first: the last one counts. */
  readonly skews: { readonly skewMs: number }[];
  /** Whether users may call its own server, as it remembers the API server's answers; undefined: it has asked for none. */
  reviews: Map<string, { readonly allowed: boolean; readonly until: number }> | undefined;
  /** Its controllers run: there is no elector, or it leads. */
  leading: boolean;
  /** The revision of its first lists; undefined: the newest. */
  listsAt: number | undefined;
  /** Called when the process ends. */
  ends: (() => void)[];
  /** Limits requests since its start. */
  limiter: Limiter | undefined;
  /** Limits events since its start. */
  eventLimiter: Limiter | undefined;
  cache: Cache;
  streams: Map<string, Stream>;
  running: Map<string, Running>;
  /** The same for its streams and controllers together. */
  unchanged: object | undefined;
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

/** The open streams. */
export class Streams {
  private readonly kinds = new Map<string, Followers>();
  private readonly numbered: (Stream | undefined)[] = [];
  /** Pods and their Events mostly change in turns. */
  private last: Followers | undefined;
  private before: Followers | undefined;

  add(parts: Omit<Stream, 'number'>): Stream {
    const stream: Stream = { number: this.numbered.length, ...parts };
    this.numbered.push(stream);
    const followers = this.opened(stream.kind);
    forget(followers, stream);
    if (stream.only === undefined) followers.all.push(stream);
    else {
      const { index, value } = stream.only;
      const list = followers[index].get(value);
      if (list === undefined) followers[index].set(value, [stream]);
      else list.push(stream);
    }
    return stream;
  }

  close(stream: Stream): void {
    this.numbered[stream.number] = undefined;
    // Expectations on a closed stream count as satisfied.
    stream.seenRevision = Infinity;
    const followers = this.opened(stream.kind);
    forget(followers, stream);
    if (stream.only === undefined) {
      followers.all = followers.all.filter((other) => other !== stream);
      return;
    }
    const { index, value } = stream.only;
    const left = (followers[index].get(value) ?? []).filter((other) => other !== stream);
    if (left.length === 0) followers[index].delete(value);
    else followers[index].set(value, left);
  }

  /** The stream of a number; undefined once it is closed. */
  byNumber(number: number): Stream | undefined {
    return this.numbered[number];
  }

  /** Streams that carry an object, in order of subscription (streams without a filter first). */
  following(kind: string, object: ApiObject): Audience {
    const followers = this.known(kind);
    if (followers === undefined) return NO_AUDIENCE;
    const node = followers.nodeName.size === 0 ? undefined : nodeNameOf(object);
    const general = node === undefined ? toAll(followers) : onNode(followers, node);
    const byName = followers.name.size === 0 ? undefined : followers.name.get(object.metadata.name);
    return byName === undefined ? general : audienceOf([...general.streams, ...byName]);
  }

  private known(kind: string): Followers | undefined {
    if (this.last?.kind === kind) return this.last;
    const found = this.before?.kind === kind ? this.before : this.kinds.get(kind);
    if (found === undefined) return undefined;
    this.before = this.last;
    this.last = found;
    return found;
  }

  private opened(kind: string): Followers {
    let followers = this.kinds.get(kind);
    if (followers === undefined) {
      followers = { kind, all: [], toAll: undefined, nodeName: new Map(), name: new Map(), onNode: new Map() };
      this.kinds.set(kind, followers);
    }
    return followers;
  }
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
