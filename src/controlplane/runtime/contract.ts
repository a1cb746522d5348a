/**
 * The contract of a controller. A controller is a pure decision: from its caches, `reconcile` returns the writes to make, when to reconcile
 * again, and the reason in one sentence. The runner makes the writes, one event each; a process may crash between any two of them.
 */
import { perObject } from '../../engine/index.ts';
import type { RandomStream } from '../../engine/random.ts';
import type { KindRegistry, ObjectNamed as ObjectOf } from '../../apiserver/kinds/index.ts';
import type { ApiObject, FeatureGates, Kind, Names, RulesMode, Status } from '../../apiserver/machinery/index.ts';
import type { Aggregate } from './cache.ts';
import type { Enqueue, Outcome, Write } from './outcome.ts';
import type { Delta, Interest, ObserveContext, Watch } from './watches.ts';

/** The input of a decision. Everything in it is read-only. */
export interface ReconcileInput<Self = ApiObject, Memory = unknown, State = unknown> extends Omit<ObserveContext<State>, 'failures'> {
  readonly key: string;
  /** The object of the key, as the process's cache has it. */
  readonly self: Self;
  /** The process's wall clock, also where `now` is elapsed time (see `onElapsed`). */
  readonly wall: number;
  /** How the rules that v1.24 does not have are applied; absent: as the domain requires. */
  readonly rules?: RulesMode | undefined;
  readonly memory: Memory | undefined;
  /**
   * False while the cache does not show everything that earlier writes of this key created, deleted, or changed with `awaited` (upstream:
   * expectations).
   */
  readonly expectationsSatisfied: boolean;
  /** Consecutive failures of this key (upstream: NumRequeues). */
  readonly failures: number;
  readonly random: RandomStream;
  /** Whether the renewals of a lease are elided, and when the last one was; undefined: there are none besides what the cache holds. */
  renewalInterval(namespace: string, name: string): { readonly beating: boolean; readonly at: number } | undefined;
}

/** The same for a key whose object may be gone. */
export type RecoverInput<K extends string, Memory = unknown, State = unknown> = Omit<ReconcileInput<ObjectOf<K>, Memory, State>, 'self'> & {
  readonly self: ObjectOf<K> | undefined;
};

/** A write that failed. */
export interface Failure {
  readonly write: Write;
  readonly status: Status;
  /** Writes of the same outcome that were dropped. */ readonly dropped: readonly Write[];
}

/** The response to a write marked `resume`; without an object for a tolerated refusal, and for a deletion without one. */
export interface Answer {
  readonly write: Write;
  readonly object: ApiObject | undefined;
  /** The objects that a `list` returned. */
  readonly objects?: readonly ApiObject[];
}

/**
 * A controller: its watches, and `reconcile`, which decides from its cache about one object at a time. Made by `defineController`;
 * `problemsOf` lists what cannot work in it.
 */
export interface Controller<K extends string = string, Memory = unknown, State = unknown, Action = unknown> {
  readonly name: string;
  /** The kind whose keys it reconciles; a controller of something else (a queue, a graph) omits it and gets no `self`. */
  readonly reconciles?: K;
  /** It gathers many objects: its keys are reconciled last in an instant, so that one decision sees all that happened in it. */
  readonly coalesces?: true;
  /** Kinds that it may write, for the conformance suite. `Event` is always allowed. */
  readonly writes: readonly string[];
  /** Watches besides `reconciles`, which is always watched. */
  readonly watches?: readonly Watch<State>[];
  /** Returns the watch on a kind that a client defines, before the controller runs or while it does; undefined: none. */
  watchOn?(kind: Kind): Watch<State> | undefined;
  /** Filter on the watched `reconciles` kind, and mapping of its deltas to keys. */
  readonly self?: Interest<K, State>;
  readonly aggregates?: readonly Aggregate[];
  /** Component name in events: `job-controller`; default: the controller's name. */
  readonly component?: string | ((names: Names) => string);
  /** The host in its events; absent: none. */
  readonly host?: (process: string) => string;
  /** The form of its events: the core form with counts (default), or the newer one with eventTime and action (the scheduler's). */
  readonly recorder?: 'core' | 'events';
  /** The limits of the work queue's back-off, milliseconds; default, as upstream's: 5 ms … 1000 s. */
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  /** What is modelled and left out, with the upstream path. `orchsim controllers` prints it. */
  readonly models?: string;
  /** Agents only: the initial state of a started process; `observe` updates it from deltas before keys are enqueued. */
  start?(context: {
    readonly names: Names;
    readonly gates: FeatureGates;
    readonly rules?: RulesMode | undefined;
    readonly now: number;
    readonly process: string;
    readonly random: RandomStream;
  }): State;
  /**
   * The state as plain data (Maps and Sets too), without what the caches hold anyway; absent: the state is plain data already. For
   * comparisons of states.
   */
  describe?(state: State): unknown;
  observe?(delta: Delta, context: ObserveContext<State>): void;
  /** Agents only: performs one action of a decision. Nothing else changes the state that the agent's decisions read. */
  act?(action: Action, context: Pick<ObserveContext<State>, 'process' | 'state'>): void;
  /** Keys to reconcile once the process has started and its caches are filled, besides one for every object of `reconciles`. */
  startKeys?(context: ObserveContext<State>): readonly Enqueue[];
  /** Electors only: the process is to stop. Returns the keys to reconcile once more; one of their outcomes says `process: 'stop'`. */
  stop?(context: ObserveContext<State>): readonly Enqueue[];
  reconcile(input: ReconcileInput<ObjectOf<K>, Memory, State>): Outcome<Memory, Action>;
  /** The same for a key whose object is gone; absent: nothing is done, and the key is forgotten. */
  reconcileAbsent?(input: Omit<ReconcileInput<ObjectOf<K>, Memory, State>, 'self'>): Outcome<Memory, Action>;
  /** Continues after a write marked `resume`. Anything that it needs of the decision so far is in `memory`. */
  resume?(input: RecoverInput<K, Memory, State>, answer: Answer): Outcome<Memory, Action>;
  /** What to do instead of dropping the remaining writes and backing off; undefined: exactly that. */
  recover?(input: RecoverInput<K, Memory, State>, failure: Failure): Outcome<Memory, Action> | undefined;
}

/**
 * A controller whose type of `self` follows from `reconciles`. The sandbox has one of its own for user-defined controllers, which records
 * where they are defined.
 */
export const defineController = <K extends string, Memory = unknown, State = unknown, Action = unknown>(
  controller: Controller<K, Memory, State, Action>,
): Controller<K, Memory, State, Action> => controller;

/** A controller that depends on the registered kinds, made once for each registry; what it knows of a run is in its state. */
export const forKinds = (make: (kinds: KindRegistry) => Controller): ((kinds: KindRegistry) => Controller) => perObject(make);
