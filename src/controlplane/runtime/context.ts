/** What the parts of the runtime share: the clock, the server, the store's watches, random streams, faults, and the observers. */
import type { Kernel } from '../../engine/index.ts';
import type { Random } from '../../engine/random.ts';
import type { FeatureGates, Names, RulesMode, Status } from '../../apiserver/machinery/index.ts';
import type { ApiResponse, Envelope } from '../../apiserver/request/index.ts';
import type { Change, Store } from '../../apiserver/store/index.ts';
import type { Delta, Outcome } from './contract.ts';
import type { Delay } from './delay.ts';
import type { Observed } from './observation.ts';
import type { RenewalElision } from './renewal-elision.ts';
import type { ClusterEvent } from './pending.ts';
import type { Process } from './process.ts';

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
}

export interface RuntimeContext {
  readonly kernel: Kernel<ClusterEvent>;
  readonly store: Store;
  readonly random: Random;
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly rules: RulesMode;
  readonly latency: { readonly api: Delay; readonly watch: Delay };
  /** Passes an envelope to the server; every commit becomes a `write` observation, every refusal a `refusal`. */
  call(envelope: Envelope): ApiResponse;
  /** Reports an observation; returns its identity. */
  observe(observed: Observed): number;
  /** The same without an identity of its own and without an effect on the digest: for observers only. */
  observeUnsequenced(observed: Observed): void;
  /** The same for deliveries, the most frequent observations: no record is built unless there is an observer. */
  delivered(process: Process, delta: Delta, revision: number, causes: readonly number[]): number;
  reconciled(
    process: string,
    controller: string,
    key: string,
    outcome: Outcome,
    wakeAt: number | undefined,
    failures: number,
    causes: readonly number[],
  ): number;
  faults(): readonly FaultRules[];
  readonly renewalElision: RenewalElision;
  readonly sameInstantLimit: number;
  /** Every change goes to every listener, whatever their predicates say. */
  readonly broadcast: boolean;
}
