/**
 * The records of the runtime: a process with its cache, the controllers it runs, the watch streams that feed it. A crash loses all of
 * it; only the store survives. Plain data and the values that hold it: what is done with them stands beside, in functions.
 */
import type { RandomStream } from '../../engine/random.ts';
import type { FeatureGates } from '../../apiserver/machinery/index.ts';
import type { User } from '../../apiserver/request/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { Cache, KindTable } from './cache.ts';
import type { Delay } from './delay.ts';
import type { Controller, ObserveContext, Watch } from './contract.ts';
import type { Correlator } from './event-correlator.ts';
import type { KeyState } from './key-state.ts';
import type { Limiter, RequestRate } from './rate.ts';
import type { FieldBits, Wanted } from './predicates.ts';
import type { WorkQueue } from './work-queue.ts';

/** A controller as one incarnation of a process runs it. */
export interface Running {
  /** By which pending events name it; never given again, so that what a crashed process had planned finds nobody. */
  readonly number: number;
  readonly process: Process;
  readonly controller: Controller;
  readonly queue: WorkQueue;
  readonly correlator: Correlator;
  readonly random: RandomStream;
  state: unknown;
  /** Keys whose own writes have not come back, in order of concluding. */
  readonly awaiting: { keys: KeyState[]; head: number };
  /** What its mappings of deltas may know: one record, brought up to date before each use. */
  readonly observing: { -readonly [K in keyof ObserveContext]: ObserveContext[K] };
}

/** A controller's watch on a kind. */
export interface Listener {
  readonly running: Running;
  readonly watch: Watch;
  readonly wanted: Wanted;
}

/** The way of the changes of one kind from the store to a process. */
export interface Stream {
  /** By which pending events name it; never given again. */
  readonly number: number;
  readonly process: Process;
  readonly kind: string;
  readonly only?: { readonly index: 'nodeName' | 'name'; readonly value: string };
  /** What it feeds. */
  readonly kindTable: KindTable;
  /** Renewals of leases may go unseen. */
  readonly unseenRenewals: boolean;
  /** What its deltas go to, and the fields that they have asked for. */
  readonly listeners: Listener[];
  readonly fields: FieldBits;
  /** Those who listen by the fields that change; forgotten when somebody comes. */
  interested: { readonly bits: number; readonly listeners: readonly Listener[] }[] | undefined;
  /** Changes on their way, oldest first; those before `head` have arrived. */
  inFlight: Change[];
  head: number;
  /** Instant of the last planned delivery: the next is never earlier. */
  lastAt: number;
  /** Revision up to which the process has seen everything. */
  seenRevision: number;
}

export interface ProcessSpec {
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** Runs alone until one of its outcomes says `process: 'lead'`; then the controllers start. */
  readonly elector?: Controller;
  /** The node whose agent it is, where that is called otherwise than its machine. */
  readonly node?: string;
  /** Its own gates; absent: those of the cluster. */
  readonly gates?: FeatureGates;
  /** What it was started with: its file and flags, for whoever asks it about them. */
  readonly start?: { readonly config?: Readonly<Record<string, unknown>>; readonly flags?: readonly string[] };
  /** Why it does not start: what its file and flags are refused for. */
  readonly refusal?: string;
  /** Whether the server believes who it is, at an instant; absent: always. What it asks otherwise is refused with 401. */
  isAuthenticated?(now: number): boolean;
  /** What it is when it starts again, where it was told of something meanwhile. */
  anew?(): ProcessSpec | undefined;
  /** Added to the process's clock, milliseconds. */
  readonly skewMs?: number;
  /** Of its requests, instead of the cluster's: a driver's delays include them. */
  readonly apiLatency?: Delay;
  /** Of its controllers' requests, events apart, which go by a client of their own as elections do; absent: nothing holds them back. */
  readonly requestRate?: RequestRate;
  /** Of the events that they record; absent: nothing holds them back. */
  readonly eventRate?: RequestRate;
  /** A controller whose requests go by a client of its own, which nothing holds back: what an agent says of its node. */
  readonly unlimited?: Controller;
}

export interface Process {
  spec: ProcessSpec;
  /** What it takes up when it starts the next time. */
  next: ProcessSpec | undefined;
  /** In order of addition, from 0. */
  readonly number: number;
  /** Who it is to the server. */
  readonly user: User;
  incarnation: number;
  up: boolean;
  /** Since when it is up or down, milliseconds since the epoch. */
  changedAt: number;
  /** Added to its clock, milliseconds. A fault may change it. */
  skewMs: number;
  /** What sets it wrong, in the order it came: the last one counts. */
  readonly skews: { readonly skewMs: number }[];
  /** Its controllers run: there is no elector, or it has said so. */
  leading: boolean;
  /** Its first lists are of this revision; undefined: of the newest. */
  listsAt: number | undefined;
  /** What ends with the process. */
  ends: (() => void)[];
  /** Of its requests since its start. */
  limiter: Limiter | undefined;
  /** Of its events since its start. */
  eventLimiter: Limiter | undefined;
  cache: Cache;
  streams: Map<string, Stream>;
  running: Map<string, Running>;
}

/** Which objects of a watched kind reach a process; undefined: all. */
export const onlyOf = ({ only }: Watch, process: string): Stream['only'] =>
  only === undefined ? undefined : { index: only.index, value: only.value(process) };

/** The watches of a controller: its own kind first. */
export function watchesOf(controller: Controller): readonly Watch[] {
  const own: Watch[] = controller.reconciles === undefined ? [] : [{ ...controller.self, kind: controller.reconciles }];
  return [...own, ...(controller.watches ?? [])];
}
