/**
 * What the parts of the runtime share: the clock, the server, the store's watches, random streams, faults, and the observers. Also choice
 * points: places where a run can continue in several ways, decided by a search or by the replay of its result. Without a strategy nothing
 * is computed for them, and a strategy that never changes anything gives the same run as no strategy.
 */
import type { Kernel } from '../../engine/index.ts';
import type { Random } from '../../engine/random.ts';
import type { FeatureGates, Names, RulesMode, Status, ApiObject } from '../../apiserver/machinery/index.ts';
import type { KindRegistry } from '../../apiserver/kinds/index.ts';
import type { ApiResponse, Envelope } from '../../apiserver/request/index.ts';
import type { Change, Store } from '../../apiserver/store/index.ts';
import type { ObserverBus } from './observer-bus.ts';
import type { ClusterEvent } from './pending.ts';
import type { Delay } from './rate.ts';
import type { RenewalElision } from './renewal-elision.ts';

/** What a fault does to one request. */
export interface RequestVerdict {
  /** The response given instead of handling the request. */
  readonly fail?: Status;
  /** The request is handled, but the client sees a timeout. */
  readonly loseResponse?: boolean;
  /** The request is delayed once by this much. Delays of several rules add up. */
  readonly delayMs?: number;
  /** The process crashes before or after the request is handled. */
  readonly crash?: 'before' | 'after';
}

/** How the answers to a client outside the cluster are changed, of one kind. */
export interface ClientView {
  /** Lists show the objects of this revision, and watches show nothing newer. */
  readonly frozenAt?: number;
  /** With `frozenAt`: only lists that a real server answers from its cache; one without a resourceVersion is up to date. */
  readonly onlyCached?: boolean;
  /** Watch events stay on their way until this instant; Infinity: until the rules are removed. */
  readonly heldUntil?: number;
  readonly withoutBookmarks?: boolean;
  /** Its requests reach the server so much later, milliseconds; those of several rules add up. */
  readonly requestsTakeMs?: number;
  /** The client reads one watch event in this time, milliseconds. */
  readonly readsEveryMs?: number;
}

/** How an active fault is described to users. */
export interface FaultNotice {
  readonly process: string;
  /** A predicate of the process: `is cut off`, `sees changes of Pods 3 s late`. */
  readonly says: string;
  /** When it ends, milliseconds since the epoch; absent: no end is planned. */
  readonly until?: number;
}

/** Rules between processes and the server, installed and removed by the driver of the cluster (a scenario, a test, a search). */
export interface FaultRules {
  /** Shown when a user asks why nothing happens; absent: nothing to show. */
  readonly notice?: FaultNotice;
  /** What the rules will do from now on, as plain data, counters included. Absent: the rules make no difference to the state. */
  describe?(): unknown;
  request?(envelope: Envelope, now: number): RequestVerdict | undefined;
  /** Extra delivery time of a change, milliseconds; undefined: none. Those of several rules add up. */
  delivery?(process: string, change: Change, now: number): number | undefined;
  /** When a process that is cut off receives changes again, milliseconds since the epoch. Of several rules the latest counts. */
  cutUntil?(process: string): number | undefined;
  /** How a client outside the cluster is shown a kind; undefined: as it is. */
  view?(client: string, kind: string): ClientView | undefined;
}

export interface RuntimeContext {
  readonly observers: ObserverBus;
  readonly kernel: Kernel<ClusterEvent>;
  readonly store: Store;
  readonly random: Random;
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly gates: FeatureGates;
  readonly rules: RulesMode;
  readonly latency: { readonly api: Delay; readonly watch: Delay };
  /** Passes an envelope to the server; every commit becomes a `write` observation, every refusal a `refusal`. */
  call(envelope: Envelope): ApiResponse;
  faults(): readonly FaultRules[];
  readonly renewalElision: RenewalElision;
  readonly sameInstantLimit: number;
  /** Every change goes to every listener, whatever their predicates say. */
  readonly broadcast: boolean;
}

/** A key that is about to be reconciled. */
export interface DecidePoint {
  readonly process: string;
  readonly controller: string;
  readonly key: string;
}

/** The verdict on a decision. */
export type DecideVerdict =
  /** The decision is made so many milliseconds later; 0: at the end of this instant. */
  | { readonly hold: number }
  /** The process crashes before the decision. */
  | { readonly crash: true };

/**
 * The callbacks of a strategy, one for each kind of choice point. Each point calls once: a decision or request that was delayed does not
 * call again. Other effects at a point (a relist, a process cut off) are applied by the callback before it returns.
 */
export interface Points {
  /** A change is sent to a process. Returns the extra delay in milliseconds. A stream keeps its order, so later changes are delayed too. */
  see(process: string, change: Change): number;
  decide(point: DecidePoint): DecideVerdict | undefined;
  /** A controller's request is about to reach the server. */
  write(envelope: Envelope): RequestVerdict | undefined;
  /** The containers of a pod are about to be created. Returns true to make them run without ever becoming ready or ending by themselves. */
  start(process: string, pod: ApiObject): boolean;
}
