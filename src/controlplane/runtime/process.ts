/**
 * The records of the runtime: a process with its cache, its running controllers, and the watch streams that feed it. A crash loses all of
 * it; only the store survives. Plain data; the functions on it are in the files beside this one.
 */
import type { RandomStream } from '../../engine/random.ts';
import type { FeatureGates } from '../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { User } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cache, KindTable } from './cache.ts';
import type { Delay, Limiter, RequestRate } from './rate.ts';
import type { Controller, ObserveContext, Watch } from './contract.ts';
import type { Correlator } from './event-correlator.ts';
import type { KeyState } from './key-state.ts';
import type { ChangeClass, FieldBits, Wanted } from './predicates.ts';
import type { WorkQueue } from './work-queue.ts';

/** A controller as one incarnation of a process runs it. */
export interface Running {
  /** The number by which pending events name it; never reused, so pending events of a crashed process find nothing. */
  readonly number: number;
  readonly process: Process;
  readonly controller: Controller;
  readonly queue: WorkQueue;
  readonly correlator: Correlator;
  readonly random: RandomStream;
  state: unknown;
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

/** Which objects of a watched kind reach a process; undefined: all. */
export const onlyOf = ({ only }: Watch, process: string): Stream['only'] =>
  only === undefined ? undefined : { index: only.index, value: only.value(process) };

/** The watches of a controller: its own kind first, those on kinds that clients have defined last. */
export function watchesOf(controller: Controller, kinds: KindRegistry): readonly Watch[] {
  const own: Watch[] = controller.reconciles === undefined ? [] : [{ ...controller.self, kind: controller.reconciles }];
  return [...own, ...(controller.watches ?? []), ...definedWatches(controller, kinds)];
}

/** The watches of a controller on kinds that clients have defined, besides those that it names itself. */
export function definedWatches(controller: Controller, kinds: KindRegistry): readonly Watch[] {
  if (controller.watchOn === undefined) return [];
  const named = new Set((controller.watches ?? []).map(({ kind }) => kind));
  return kinds.list().flatMap((kind) => (kind.definition === undefined || named.has(kind.kind) ? [] : (controller.watchOn?.(kind) ?? [])));
}
