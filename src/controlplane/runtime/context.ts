/** What the parts of the runtime share: the clock, the door, the store's watch side, chance, faults, and the ear of whoever listens. */
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
  /** Answered with this instead of being handled. */
  readonly fail?: Status;
  /** Handled, but the client sees a timeout. */
  readonly loseResponse?: boolean;
  /** Later by this much, once. Of several rules these add up. */
  readonly delayMs?: number;
  /** The process dies before or after the request is handled. */
  readonly crash?: 'before' | 'after';
}

/** What a fault that lasts has to say for itself. */
export interface FaultNotice {
  readonly process: string;
  /** `is cut off`, `sees changes of Pods 3 s late`: said of the process. */
  readonly says: string;
  /** When it ends, milliseconds since the epoch; absent: nobody has planned its end. */
  readonly until?: number;
}

/** Rules between processes and the server; installed and lifted by whoever drives the cluster. */
export interface FaultRules {
  /** For whoever asks why nothing happens; absent: nothing to be said. */
  readonly notice?: FaultNotice;
  /** What it does from now on, as plain data: with what it counts, if it counts. Absent: nobody can tell worlds with it apart. */
  describe?(): unknown;
  request?(envelope: Envelope, now: number): RequestVerdict | undefined;
  /** Extra delivery time of a change, milliseconds; undefined none. Of several rules these add up. */
  delivery?(process: string, change: Change, now: number): number | undefined;
  /** When a process that is cut off sees changes again, milliseconds since the epoch. Of several rules the latest counts. */
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
  /** Hands an envelope to the door; every commit becomes a `write` observation, a refusal a `refusal`. */
  call(envelope: Envelope): ApiResponse;
  /** Reports what happened; returns its identity. */
  observe(observed: Observed): number;
  /** The same without an identity of its own and without a trace in the fingerprint: for whoever listens alone. */
  aside(observed: Observed): void;
  /** The same for what happens most: nothing is put together unless somebody listens. */
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
  /** Every change goes to everybody, whatever they declare to be news. */
  readonly broadcast: boolean;
}
