/** The actions of an agent on its node, as data, and its state: decisions list actions, and the pod runner performs them. */
import type { EvictionCause } from './machine.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Run } from './containers.ts';
import { type EvictionState, freshEviction } from './eviction/thresholds.ts';
import type { Mount } from './mounts.ts';
import { freshPulls, type PullAction, type PullState } from './images/pull.ts';

/** Since when an agent knows that its machine is being shut down, and since when it ends the pods that matter most. */
export interface ShutdownState {
  readonly since: number;
  readonly criticalSince?: number;
}

export type Action =
  /** Sets the state of a pod's containers: they were created, started or stopped, or time has passed. */
  | { readonly does: 'put'; readonly uid: string; readonly run: Run }
  /** Sets the volumes that a pod uses; undefined: none. */
  | { readonly does: 'use'; readonly uid: string; readonly volumes: readonly string[] | undefined }
  | { readonly does: 'mount'; readonly uid: string; readonly mounts: readonly Mount[] }
  | { readonly does: 'forget'; readonly uid: string; readonly at: number }
  /** The agent remembers that it has reported a pod. */
  | { readonly does: 'note'; readonly uid: string }
  /** The agent remembers that a pod, by key, waits for volumes, or no longer does. */
  | { readonly does: 'wait'; readonly key: string; readonly waits: boolean }
  | PullAction
  | { readonly does: 'sources'; readonly are: NonNullable<AgentState['statics']> }
  | { readonly does: 'pressure'; readonly is: EvictionState }
  | { readonly does: 'shutdown'; readonly is: ShutdownState }
  /** Ends a pod's containers because of pressure; `because` has the measured values. */
  | { readonly does: 'evict'; readonly uid: string; readonly run: Run; readonly because?: EvictionCause };

/** The agent's state besides its caches, lost in a crash. */
export interface AgentState {
  /** Uids of the pods that this incarnation has reported. */
  readonly reported: Set<string>;
  /** Keys of pods that wait for volumes. */
  readonly waiting: Set<string>;
  /** The grace period of containers whose pods are gone from the API, milliseconds by uid. */
  readonly graceOfGone: Map<string, number>;
  readonly pulls: PullState;
  eviction: EvictionState;
  /** Absent: its machine is not being shut down, as far as it knows. */
  shutdown?: ShutdownState;
  /** Static pods as they were last read, when that was, and the submitted pods; absent: not read yet. */
  statics?: {
    readonly fileAt: number;
    readonly httpAt: number;
    readonly since: number;
    readonly file: readonly Pod[];
    readonly http: readonly Pod[];
    readonly server: readonly Pod[];
  };
}

export const freshState = (): AgentState => ({
  reported: new Set(),
  waiting: new Set(),
  graceOfGone: new Map(),
  pulls: freshPulls(),
  eviction: freshEviction,
});
