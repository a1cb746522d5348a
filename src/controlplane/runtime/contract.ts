/**
 * The contract of a controller. A controller is a pure decision: from its caches, `reconcile` returns the writes to make, when to reconcile
 * again, and the reason in one sentence. The runner makes the writes, one event each; a process may crash between any two of them.
 */
import { memo } from '../../engine/index.ts';
import type { RandomStream } from '../../engine/random.ts';
import type { KindRegistry, ObjectByKind, ObjectNamed as ObjectOf, CustomObjects } from '../../apiserver/kinds/index.ts';
import type { ApiObject, FeatureGates, Kind, Names, RulesMode, Status } from '../../apiserver/machinery/index.ts';
import type { Aggregate, CacheView } from './cache.ts';
import type { Write } from './writes.ts';
import type { Predicate } from './predicates.ts';

/**
 * The result of a reconcile: the reason, the writes to make one after the other, and when to reconcile again. Made by `write`, `idle` and
 * `wakeAt`.
 */
export interface Outcome<Memory = unknown, Action = unknown> {
  /** One true sentence: the reason of this decision. */
  readonly why: string;
  readonly writes: readonly Write[];
  /**
   * Agents only: actions that happen at once and outside the API, on containers for example. Plain data; `act` performs them, before the
   * writes.
   */
  readonly actions?: readonly Action[];
  /** When to reconcile again, milliseconds since the epoch, later than now. */
  readonly wakeAt?: number;
  /** A periodic wake-up: a run counts as settled while it is pending. */
  readonly background?: boolean;
  /** The wake-up recurs for as long as the object stays as it is: its period, and what happens then (`fires every minute`). */
  readonly recurs?: { readonly everyMs: number; readonly does: string };
  /** What this process remembers for the key until it crashes; absent: unchanged, null: forgotten. */
  readonly memory?: Memory | null;
  /** Other keys that this decision affects: they are reconciled too. */
  readonly enqueue?: readonly Enqueue[];
  /**
   * From `wakeAt` on and until `until` (default: indefinitely) the controller would only renew this lease, once per period. The runtime may
   * elide these renewals (see elided-renewals.ts).
   */
  readonly heartbeat?: {
    readonly lease: { readonly namespace: string; readonly name: string };
    readonly everyMs: number;
    readonly until?: number;
    /**
     * The controller that checks the health of the lease's holder expects a renewal this often. Where a renewal could take longer to be
     * observed, each is made for real.
     */
    readonly seenWithinMs?: number;
    /** From decision to commit, where that is more than one request's way there. */ readonly delayMs?: number;
  };
  /**
   * What happens to the process after the writes: it starts all its controllers (see `ProcessSpec.elector`), exits and is restarted by its
   * supervisor, or stops.
   */
  readonly process?: 'lead' | 'exit' | 'stop';
  /**
   * The failure count of the key after success: `forget` (default) resets it, `keep` leaves it, `retry` adds one and requeues with
   * back-off.
   */
  readonly backoff?: 'forget' | 'keep' | 'retry';
}

/** The input of a decision. Everything in it is read-only. */
export interface ReconcileInput<Self = ApiObject, Memory = unknown, State = unknown> {
  readonly key: string;
  /** The object of the key, as the process's cache has it. */
  readonly self: Self;
  /** The process's clock, milliseconds since the epoch. */
  readonly now: number;
  /** A monotonic clock, milliseconds: only differences have a meaning. */
  readonly elapsed: number;
  /** The process's wall clock, also where `now` is elapsed time (see `onElapsed`). */
  readonly wall: number;
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly gates: FeatureGates;
  /** How the rules that v1.24 does not have are applied; absent: as the domain requires. */
  readonly rules?: RulesMode | undefined;
  readonly cache: CacheView;
  readonly memory: Memory | undefined;
  /** Agents only: state of the whole component, updated by `observe`. */
  readonly state: State;
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
  /** The name of the process: `controller-manager`, `agent/node-0`. */
  readonly process: string;
}

/** The same for a key whose object may be gone. */
export type RecoverInput<K extends string, Memory = unknown, State = unknown> = Omit<ReconcileInput<ObjectOf<K>, Memory, State>, 'self'> & {
  readonly self: ObjectOf<K> | undefined;
};

export type DeltaType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change of a cache; the type of its objects follows from the kind. */
export interface Delta<K extends string = string> {
  readonly type: DeltaType;
  readonly kind: K;
  readonly key: string;
  readonly object: ObjectOf<K>;
  readonly old: ObjectOf<K> | undefined;
}

/** The input of a function that maps a delta to keys. */
export interface ObserveContext<State = unknown> {
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly gates: FeatureGates;
  readonly cache: CacheView;
  readonly now: number;
  /** A monotonic clock, milliseconds: only differences have a meaning. */
  readonly elapsed: number;
  readonly state: State;
  readonly process: string;
  /** Consecutive failures of a key. */
  failures(key: string): number;
}

/** A key to reconcile, at once or after a delay. */
export type Enqueue = string | { readonly key: string; readonly afterMs: number };

/** Which objects of a kind are watched, and which keys their changes enqueue. */
export interface Interest<K extends string = string, State = unknown> {
  /** Only objects with this indexed value reach the process: the pods of a node agent's node. */
  readonly only?:
    | { readonly index: 'nodeName'; value(process: string): string }
    | { readonly index: 'name'; value(process: string): string };
  /** False: renewals of leases may be elided (read `renewalInterval` instead); every other change is delivered as usual. */
  readonly renewals?: false;
  /** Which changes matter; absent: all. Other changes are neither observed nor mapped to keys. */
  readonly predicate?: Predicate;
  /** The keys to enqueue for a change; absent: the object's own key. */
  enqueue?(delta: Delta<K>, context: ObserveContext<State>): readonly Enqueue[] | Enqueue | undefined;
}

/** A watch on a kind; made by `watch`, which infers the kind's type. */
export interface Watch<State = unknown> extends Interest<string, State> {
  readonly kind: string;
}

type Enqueues<K extends string, State> = NonNullable<Interest<K, State>['enqueue']>;

/** Watches a kind; `enqueue` returns the keys that a change concerns, and receives the kind's own type. */
export const watch = <K extends string, State = unknown>(
  kind: K,
  enqueue?: Enqueues<K, State>,
  rest: Omit<Interest<K, State>, 'enqueue'> = {},
): Watch<State> => ({ kind, ...rest, ...(enqueue === undefined ? {} : { enqueue }) });

/** For `watch`: changes enqueue no key; the kind is watched because it is read. */
export const watchOnly = (): undefined => undefined;

interface Upkeep<K extends string, State> {
  of(delta: Delta<K>, context: ObserveContext<State>): void;
}

/** Updates of a component's state by kind; kinds without a handler are ignored. */
export type Handlers<State = unknown> = { readonly [K in keyof (ObjectByKind & CustomObjects)]?: Upkeep<K, State>['of'] };

/** The kinds for which an `observe` made by `observing` has a handler. */
const handled = memo(new WeakMap<object, ReadonlySet<string>>());

/** Makes an `observe` of handlers by kind, each with the type of its kind. */
export const observing = <State = unknown>(handlers: Handlers<State>): ((delta: Delta, context: ObserveContext<State>) => void) => {
  const byKind: Readonly<Record<string, Upkeep<string, State>['of'] | undefined>> = handlers;
  const observe = (delta: Delta, context: ObserveContext<State>): void => byKind[delta.kind]?.(delta, context);
  handled.set(observe, new Set(Object.keys(handlers)));
  return observe;
};

/** A handler in place of another one: it receives the same kinds. */
export function withHandledKinds<F extends NonNullable<Controller['observe']>>(observe: F, inPlaceOf: object): F {
  const kinds = handled.get(inPlaceOf);
  if (kinds !== undefined) handled.set(observe, kinds);
  return observe;
}

/** Whether a controller reacts to changes of a watched kind; some kinds are only read from the cache. */
export function listens({ observe }: Pick<Controller, 'observe'>, { kind, enqueue }: Watch): boolean {
  return enqueue !== watchOnly || (observe !== undefined && handled.get(observe)?.has(kind) !== false);
}

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
export function forKinds(make: (kinds: KindRegistry) => Controller): (kinds: KindRegistry) => Controller {
  const made = memo(new WeakMap<KindRegistry, Controller>());
  return (kinds) => {
    let controller = made.get(kinds);
    if (controller === undefined) made.set(kinds, (controller = make(kinds)));
    return controller;
  };
}

/** Nothing to do until something changes; `why` is one sentence, as `orchsim why` prints it. */
export const idle = (why: string): Outcome<never, never> => ({ why, writes: [] });
/** Nothing to do before an instant, milliseconds since the epoch and later than `now`, unless something changes. */
export const wakeAt = (at: number, why: string): Outcome<never, never> => ({ why, writes: [], wakeAt: at });
/**
 * Writes, in order, each a request of its own. The first failure drops the rest and requeues the key with back-off. `create`, `update` and
 * `remove` make them.
 */
export const write = (why: string, ...writes: readonly Write[]): Outcome<never, never> => ({ why, writes });
