/** What an agent does on its node, as data: its decisions list actions, and only `act` here does them. */
import type { EvictionCause, Machine } from './machine.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Run } from './containers.ts';
import { type EvictionState, freshEviction } from './eviction/state.ts';
import { freshPulls, type PullAction, type PullState } from './images/index.ts';
import type { Mount } from './mounts.ts';

/** Since when an agent knows that its machine is being shut down, and since when it ends the pods that matter most. */
export interface ShutdownState {
  readonly since: number;
  readonly criticalSince?: number;
}

export type Action =
  /** A pod's containers go on from here: they were started, stopped, let begin, or time has passed for them. */
  | { readonly does: 'put'; readonly uid: string; readonly run: Run }
  /** A pod uses these volumes, or lets go of them. */
  | { readonly does: 'use'; readonly uid: string; readonly volumes: readonly string[] | undefined }
  /** The volumes of a pod are mounted. */
  | { readonly does: 'mount'; readonly uid: string; readonly mounts: readonly Mount[] }
  /** Nothing of a pod is left. */
  | { readonly does: 'forget'; readonly uid: string; readonly at: number }
  /** The agent remembers that it has spoken of a pod. */
  | { readonly does: 'note'; readonly uid: string }
  /** The agent remembers that a pod, by key, waits for volumes, or no more. */
  | { readonly does: 'wait'; readonly key: string; readonly waits: boolean }
  | PullAction
  /** Files and endpoints were read. */
  | { readonly does: 'sources'; readonly are: NonNullable<AgentState['statics']> }
  /** The node is so short of things. */
  | { readonly does: 'pressure'; readonly is: EvictionState }
  /** The machine is being shut down. */
  | { readonly does: 'shutdown'; readonly is: ShutdownState }
  /** A pod's containers are ended because the node is short of something; `because` says how short. */
  | { readonly does: 'evict'; readonly uid: string; readonly run: Run; readonly because?: EvictionCause };

/** What the agent knows beyond its caches, lost in a crash. */
export interface AgentState {
  /** Uids of the pods of which this incarnation has reported. */
  readonly reported: Set<string>;
  /** Keys of pods that wait for volumes. */
  readonly waiting: Set<string>;
  /** What the containers of pods that are gone from the API get, milliseconds by uid. */
  readonly graceOfGone: Map<string, number>;
  readonly pulls: PullState;
  eviction: EvictionState;
  /** Absent: its machine is not being shut down, as far as it knows. */
  shutdown?: ShutdownState;
  /** Pods of files and endpoints as they were read last, and when, and those submitted since it listens; absent: not yet. */
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

/** Does one action. */
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
