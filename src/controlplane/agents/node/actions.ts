/** The actions of an agent on its node, as data: decisions list actions, and `act` performs them. */
import type { EvictionCause, Machine } from './machine.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Run } from './containers.ts';
import { type EvictionState, freshEviction } from './eviction/thresholds.ts';
import { freshPulls, type PullAction, type PullState } from './images/index.ts';
import type { Mount } from './mounts.ts';

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
  /** The volumes of a pod are mounted. */
  | { readonly does: 'mount'; readonly uid: string; readonly mounts: readonly Mount[] }
  /** Removes the last traces of a pod. */
  | { readonly does: 'forget'; readonly uid: string; readonly at: number }
  /** The agent remembers that it has reported a pod. */
  | { readonly does: 'note'; readonly uid: string }
  /** The agent remembers that a pod, by key, waits for volumes, or no longer does. */
  | { readonly does: 'wait'; readonly key: string; readonly waits: boolean }
  | PullAction
  /** The sources of static pods were read. */
  | { readonly does: 'sources'; readonly are: NonNullable<AgentState['statics']> }
  /** Sets the pressure of the node. */
  | { readonly does: 'pressure'; readonly is: EvictionState }
  /** The machine is being shut down. */
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

/** The state of an agent that has just started. */
export const freshState = (): AgentState => ({
  reported: new Set(),
  waiting: new Set(),
  graceOfGone: new Map(),
  pulls: freshPulls(),
  eviction: freshEviction,
});

/** Performs an action. */
export function act(action: Action, machine: Machine, state: AgentState): void {
  const { reported, waiting, graceOfGone, pulls } = state;
  switch (action.does) {
    case 'put':
      machine.put(action.uid, action.run);
      return;
    case 'use':
      machine.use(action.uid, action.volumes);
      return;
    case 'mount':
      machine.mount(action.uid, action.mounts);
      return;
    case 'forget':
      machine.forget(action.uid, action.at);
      graceOfGone.delete(action.uid);
      return;
    case 'shutdown':
      state.shutdown = action.is;
      return;
    case 'note':
      reported.add(action.uid);
      return;
    case 'wait':
      if (action.waits) waiting.add(action.key);
      else waiting.delete(action.key);
      return;
    case 'pull':
    case 'useImage':
    case 'removeImage':
      machine.images?.act(action);
      return;
    case 'backOff':
      pulls.backOffs.set(action.key, action.is);
      return;
    case 'sources':
      state.statics = action.are;
      return;
    case 'pressure':
      state.eviction = action.is;
      return;
    case 'evict':
      machine.put(action.uid, action.run);
      if (action.because !== undefined) machine.evictions?.set(action.uid, action.because);
      return;
    case 'spend':
      pulls.tokens = action.tokens;
      return;
    default: {
      const never: never = action;
      return never;
    }
  }
}
