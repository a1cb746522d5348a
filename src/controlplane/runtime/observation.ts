/** What happened, as the cluster tells it to whoever listens (trace, report, invariants): one record per write, delivery, decision, timer and process change, each with all its causes. */
import type { Status } from '../../apiserver/vocabulary/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { DeltaType } from './contract.ts';

interface Base {
  /** Identity in the run, increasing from 1. */
  readonly id: number;
  /** Virtual time, milliseconds since the epoch. */
  readonly at: number;
  /** Identities of the observations that led to this one. */
  readonly causes: readonly number[];
}

export type Observation = Base &
  (
    | {
        readonly type: 'write';
        readonly actor: string;
        readonly controller?: string;
        readonly key?: string;
        readonly request: string;
        readonly change: Change;
      }
    | {
        readonly type: 'refusal';
        readonly actor: string;
        readonly controller?: string;
        readonly key?: string;
        readonly request: string;
        readonly status: Status;
      }
    | {
        readonly type: 'delivery';
        readonly process: string;
        readonly delta: DeltaType;
        readonly kind: string;
        readonly key: string;
        readonly revision: number;
      }
    | {
        readonly type: 'reconcile';
        readonly process: string;
        readonly controller: string;
        readonly key: string;
        readonly why: string;
        readonly writes: number;
        readonly wakeAt?: number;
        readonly failures: number;
      }
    | {
        readonly type: 'timer';
        readonly process: string;
        readonly controller: string;
        readonly key: string;
        readonly because: 'delay' | 'backoff' | 'wake';
      }
    | { readonly type: 'process'; readonly process: string; readonly what: 'started' | 'leads' | 'crashed' | 'stopped' }
    | { readonly type: 'operation'; readonly label: string }
    | { readonly type: 'fault'; readonly fault: string; readonly detail: string }
  );

// Distributes over the union, which Omit alone would flatten.
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An observation before it has its identity and time. */
export type Observed = Without<Observation, 'id' | 'at'>;
