/**
 * The contract of a controller. A controller is a pure decision: from what its caches hold, `reconcile` says which writes to make,
 * when to look again, and why, in one sentence. The runner makes the writes, one event each; every gap between two is a place to crash.
 */
import type { RandomStream } from '../../engine/random.ts';
import type { KindRegistry, ObjectByKind, ObjectNamed as ObjectOf, CustomObjects } from '../../apiserver/kinds/index.ts';
import type { ApiObject, FeatureGates, Names, RulesMode, Status } from '../../apiserver/machinery/index.ts';
import type { Aggregate } from './aggregate.ts';
import type { CacheView } from './cache.ts';
import type { Write } from './writes.ts';

/** What a reconcile answers: why, the writes to make one after the other, and when to look again. Made by `write`, `idle` and `wakeAt`. */
export interface Outcome<Memory = unknown, Action = unknown> {
  /** One true sentence: why this is the right thing to do now. */
  readonly why: string;
  readonly writes: readonly Write[];
  /** Agents only: what is done at once where no request reaches, to containers say. Plain data; `act` does it, before the writes. */
  readonly actions?: readonly Action[];
  /** When to look again, milliseconds since the epoch, later than now. */
  readonly wakeAt?: number;
  /** A heartbeat: waiting for it does not keep the run from being settled. */
  readonly background?: boolean;
  /** It wakes again and again for as long as the object stays as it is: so often, and what it does then (`fires every minute`). */
  readonly recurs?: { readonly everyMs: number; readonly does: string };
  /** What this process remembers for the key until it crashes; absent keeps what it has, null forgets it. */
  readonly memory?: Memory | null;
  /** Other keys that this decision concerns: they are reconciled too. */
  readonly enqueue?: readonly Enqueue[];
  /**
   * From `wakeAt` on and until `until` (default: for ever) it would only renew this lease, every so often: the runtime may do that for it
   * (see elided-renewals.ts).
   */
  readonly heartbeat?: {
    readonly lease: { readonly namespace: string; readonly name: string };
    readonly everyMs: number;
    readonly until?: number;
    /** Whoever looks for signs of life wants to see one so often; where news of a renewal could take longer, each is made for real. */
    readonly seenWithinMs?: number;
    /** From decision to commit, where that is more than one request's way there. */ readonly delayMs?: number;
  };
  /**
   * What becomes of the process when the writes are done: it runs all its controllers from now on (see `ProcessSpec.elector`), dies and is
   * brought back by whoever keeps it running, or ends.
   */
  readonly process?: 'lead' | 'exit' | 'stop';
  /** The key's failure count after success: `forget` (default) resets it, `keep` leaves it, `retry` adds one and requeues with back-off. */
  readonly backoff?: 'forget' | 'keep' | 'retry';
}

/** What a decision may know. Everything in it is read-only. */
export interface ReconcileInput<Self = ApiObject, Memory = unknown, State = unknown> {
  readonly key: string;
  /** The object of the key, as this process's cache has it. */
  readonly self: Self;
  /** The process's clock, milliseconds since the epoch. */
  readonly now: number;
  /** A clock that nobody sets, milliseconds: only differences mean anything. */
  readonly elapsed: number;
  /** The process's clock even where `now` is elapsed time (see `onElapsed`). */
  readonly wall: number;
  readonly names: Names;
  readonly gates: FeatureGates;
  /** What is made of rules that v1.24 does not have; absent: as the domain has it. */
  readonly rules?: RulesMode | undefined;
  readonly cache: CacheView;
  readonly memory: Memory | undefined;
  /** Agents only: state of the whole component, kept up by `observe`. */
  readonly state: State;
  /**
   * False while the cache has not yet seen everything this key's earlier writes created, deleted, or changed with `awaited` (upstream:
   * expectations).
   */
  readonly expectationsSatisfied: boolean;
  /** Failures in a row of this key (upstream: NumRequeues). */
  readonly failures: number;
  readonly random: RandomStream;
  /** Whether a lease is being renewed unseen, and when it last was; undefined: what the cache holds is all there is. */
  renewalInterval(namespace: string, name: string): { readonly beating: boolean; readonly at: number } | undefined;
  /** The process that runs this: `controller-manager`, `agent/node-0`. */
  readonly process: string;
}

export type DeltaType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One change of a cache; of a kind named, its objects are of that kind's type. */
export interface Delta<K extends string = string> {
  readonly type: DeltaType;
  readonly kind: K;
  readonly key: string;
  readonly object: ObjectOf<K>;
  readonly old: ObjectOf<K> | undefined;
}

/** What mapping a delta to keys may know. */
export interface ObserveContext<State = unknown> {
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly cache: CacheView;
  readonly now: number;
  /** A clock that nobody sets, milliseconds: only differences mean anything. */
  readonly elapsed: number;
  readonly state: State;
  readonly process: string;
  /** Failures in a row of a key. */
  failures(key: string): number;
}

/** A key to reconcile, at once or after a delay. */
export type Enqueue = string | { readonly key: string; readonly afterMs: number };

/** What of a kind is watched, and what its changes concern. */
export interface Interest<K extends string = string, State = unknown> {
  /** Only objects with this indexed value reach the process: a node agent's own pods. */
  readonly only?:
    | { readonly index: 'nodeName'; value(process: string): string }
    | { readonly index: 'name'; value(process: string): string };
  /** False: of leases, renewals may go unseen (ask `pulse`); every other change comes as usual. */
  readonly renewals?: false;
  /** Which of its changes are news; absent: all. Others are neither observed nor mapped to keys. */
  readonly predicate?: Predicate;
  /** The keys a change concerns; absent: the object's own key. */
  enqueue?(delta: Delta<K>, context: ObserveContext<State>): readonly Enqueue[] | Enqueue | undefined;
}

/** What of an object's changes concerns a controller. That it appears or goes always does, within `owners`. */
export interface Predicate {
  /** Fields whose change is news: `metadata.labels`, `status.phase`, `spec`; absent: all. */
  readonly fields?: readonly string[];
  /**
   * Only of objects that a controller of one of these kinds manages, before the change or after it; '' stands for objects that nobody
   * manages.
   */
  readonly owners?: readonly string[];
}

/** A watch on a kind; made by `watch`, which knows the kind's type. */
export interface Watch<State = unknown> extends Interest<string, State> {
  readonly kind: string;
}

type Enqueues<K extends string, State> = NonNullable<Interest<K, State>['enqueue']>;

/** Watches a kind; `enqueue` says which keys a change of it concerns, and gets the kind's own type. */
export const watch = <K extends string, State = unknown>(
  kind: K,
  enqueue?: Enqueues<K, State>,
  rest: Omit<Interest<K, State>, 'enqueue'> = {},
): Watch<State> => ({ kind, ...rest, ...(enqueue === undefined ? {} : { enqueue }) });

/** For `watch`: its changes concern no key, it is watched because it is read. */
export const watchOnly = (): undefined => undefined;

interface Upkeep<K extends string, State> {
  of(delta: Delta<K>, context: ObserveContext<State>): void;
}

/** Upkeep of a component's state by kind; kinds without a handler pass by. */
export type Handlers<State = unknown> = { readonly [K in keyof (ObjectByKind & CustomObjects)]?: Upkeep<K, State>['of'] };

/** The kinds that an `observe` made of handlers has one for. */
const handled = new WeakMap<object, ReadonlySet<string>>();

/** `observe` from handlers by kind, each typed by its own. */
export const observing = <State = unknown>(handlers: Handlers<State>): ((delta: Delta, context: ObserveContext<State>) => void) => {
  const byKind: Readonly<Record<string, Upkeep<string, State>['of'] | undefined>> = handlers;
  const observe = (delta: Delta, context: ObserveContext<State>): void => byKind[delta.kind]?.(delta, context);
  handled.set(observe, new Set(Object.keys(handlers)));
  return observe;
};

/** A handler in another's place: it hears of the same kinds. */
export function asListening<F extends NonNullable<Controller['observe']>>(observe: F, inPlaceOf: object): F {
  const kinds = handled.get(inPlaceOf);
  if (kinds !== undefined) handled.set(observe, kinds);
  return observe;
}

/** Whether a controller does anything when it hears of a watched kind; some only read what the cache has of it. */
export function listens({ observe }: Pick<Controller, 'observe'>, { kind, enqueue }: Watch): boolean {
  return enqueue !== watchOnly || (observe !== undefined && handled.get(observe)?.has(kind) !== false);
}

/** A write that failed. */
export interface Failure {
  readonly write: Write;
  readonly status: Status;
  /** Writes of the same outcome that were dropped. */ readonly dropped: readonly Write[];
}

/** The answer to a write that asked to go on with it; without an object where a tolerated refusal, or a deletion, had none. */
export interface Answer {
  readonly write: Write;
  readonly object: ApiObject | undefined;
  /** What a `list` found. */
  readonly objects?: readonly ApiObject[];
}

/**
 * A controller: what it watches, and `reconcile`, which decides from its cache for one object at a time. Made by `defineController`;
 * `problemsOf` says what of it cannot work.
 */
export interface Controller<K extends string = string, Memory = unknown, State = unknown, Action = unknown> {
  readonly name: string;
  /** The kind whose keys it reconciles; a controller of something else (a queue, a graph) leaves it out and gets no `self`. */
  readonly reconciles?: K;
  /** Kinds it may write, for the conformance suite. `Event` is always allowed. */
  readonly writes: readonly string[];
  /** Beyond `reconciles`, which is always watched. */
  readonly watches?: readonly Watch<State>[];
  /** Filter on the watched `reconciles` kind and mapping of its own deltas. */
  readonly self?: Interest<K, State>;
  readonly aggregates?: readonly Aggregate[];
  /** Component name in events: `job-controller`; default: the controller's name. */
  readonly component?: string | ((names: Names) => string);
  /** Where it runs, as its events say; absent: they do not say. */
  readonly host?: (process: string) => string;
  /** Which form its events have: the core form with counts (default), or the newer one with eventTime and action (the scheduler's). */
  readonly recorder?: 'core' | 'events';
  /** Upstream's retry limits of its work queue, milliseconds; default 5 ms … 1000 s. */
  readonly backoff?: { readonly baseMs: number; readonly maxMs: number };
  /** What is modelled and left out, with the upstream path: shown by `orchsim controllers`. */
  readonly models?: string;
  /** Agents only: fresh state of a started process, and its upkeep from deltas (before keys are enqueued). */
  start?(context: {
    readonly names: Names;
    readonly gates: FeatureGates;
    readonly rules?: RulesMode | undefined;
    readonly now: number;
    readonly process: string;
    readonly random: RandomStream;
  }): State;
  /**
   * The state as plain data (Maps and Sets too), without what the caches tell anyway; absent: it is plain as it is. For whoever tells
   * worlds apart.
   */
  describe?(state: State): unknown;
  observe?(delta: Delta, context: ObserveContext<State>): void;
  /** Agents only: does one action of a decision. Nothing else changes what the agent's decisions look at. */
  act?(action: Action, context: Pick<ObserveContext<State>, 'process' | 'state'>): void;
  /** Keys to reconcile when the process has started and its caches are filled, besides one for every object of `reconciles`. */
  startKeys?(context: ObserveContext<State>): readonly Enqueue[];
  /**
   * The process is to stop in good order: keys to reconcile once more; one of their outcomes says `process: 'stop'`. Only electors are
   * asked.
   */
  stop?(context: ObserveContext<State>): readonly Enqueue[];
  reconcile(input: ReconcileInput<ObjectOf<K>, Memory, State>): Outcome<Memory, Action>;
  /** The same for a key whose object is gone; absent: nothing is done and the key is forgotten. */
  reconcileAbsent?(input: Omit<ReconcileInput<ObjectOf<K>, Memory, State>, 'self'>): Outcome<Memory, Action>;
  /** Goes on after a write marked `resume`. What it has to know of the decision so far is in `memory`. */
  resume?(
    input: Omit<ReconcileInput<ObjectOf<K>, Memory, State>, 'self'> & { readonly self: ObjectOf<K> | undefined },
    answer: Answer,
  ): Outcome<Memory, Action>;
  /** What to do instead of dropping the rest and backing off; undefined for just that. */
  recover?(
    input: Omit<ReconcileInput<ObjectOf<K>, Memory, State>, 'self'> & { readonly self: ObjectOf<K> | undefined },
    failure: Failure,
  ): Outcome<Memory, Action> | undefined;
}

/** A controller whose type of `self` follows from `reconciles`; those of somebody's own are made by the bench's, which notes where. */
export const defineController = <K extends string, Memory = unknown, State = unknown, Action = unknown>(
  controller: Controller<K, Memory, State, Action>,
): Controller<K, Memory, State, Action> => controller;

/** A controller that depends on the kinds there are, made once for each registry: what it knows of a run is in its state. */
export function forKinds(make: (kinds: KindRegistry) => Controller): (kinds: KindRegistry) => Controller {
  const made = new WeakMap<KindRegistry, Controller>();
  return (kinds) => {
    let controller = made.get(kinds);
    if (controller === undefined) made.set(kinds, (controller = make(kinds)));
    return controller;
  };
}

/** Nothing to do until something changes; `why` is one sentence, as `orchsim why` tells it. */
export const idle = (why: string): Outcome<never, never> => ({ why, writes: [] });
/** Nothing to do before an instant, milliseconds since the epoch and later than `now`, unless something changes. */
export const wakeAt = (at: number, why: string): Outcome<never, never> => ({ why, writes: [], wakeAt: at });
/**
 * Writes, in order, each a request of its own; the first failure drops the rest and the key comes back with back-off. `create`, `update`
 * and `remove` make them.
 */
export const write = (why: string, ...writes: readonly Write[]): Outcome<never, never> => ({ why, writes });
