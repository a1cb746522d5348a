/** What a running scheduler knows and remembers; it dies with the process. */
import type { RandomStream } from '../../../engine/random.ts';
import type { FeatureGates, Names } from '../../../apiserver/machinery/index.ts';
import type { CacheView, Enqueue, Outcome } from '../../runtime/index.ts';
import { createEquivalenceCache, type EquivalenceCache } from './equivalence.ts';
import type { ClusterChange } from './cluster-events.ts';
import { createClusterModel, type ClusterModel } from './cluster-model.ts';
import { createNominator, type Nominator } from './nominator.ts';
import { createPlacer, type Placement, type Refused } from './placement.ts';
import { preempt, type Preemption } from './preemption.ts';
import type { Plugin } from './plugin.ts';
import type { PodInfo } from './pod-info.ts';
import { createQueue, type Moved, type QueuedPod, type SchedulingQueue } from './queue.ts';
import type { SchedulerView } from './view.ts';
import { createVolumeBook } from './volumes/book.ts';
import { createVolumeIndex } from './volumes/volume-index.ts';
import { createWaitingRoom, type WaitingRoom } from './volumes/awaiting-pre-bind.ts';
import { accessors } from '../../../engine/index.ts';

const withHasNominationsCache = accessors('hasNominations', 'cache');

/** Settings that flags and profiles may change. */
export interface SchedulerSettings {
  /** Which pods it is responsible for: their `spec.schedulerName`. */
  readonly schedulerName: string;
  readonly plugins: readonly Plugin[];
  /** Refused pods are tried again after this long, whatever happens. */
  readonly maxRefusedMs: number;
}

/** What was decided for a pod and not carried out yet. */
export interface Decision {
  readonly uid: string;
  readonly outcome: Outcome;
}

export interface SchedulerState {
  readonly settings: SchedulerSettings;
  readonly names: Names;
  readonly model: ClusterModel;
  readonly queue: SchedulingQueue;
  readonly nominator: Nominator;
  readonly view: SchedulerView;
  readonly decided: Map<string, Decision>;
  readonly equivalent: EquivalenceCache;
  /** Grows with everything that an attempt could see. */
  version(): number;
  /** Something besides nodes, pods and promises has changed. */
  othersChanged(): void;
  /** Pods that have a node and wait for their claims. */
  readonly waiting: WaitingRoom;
  place(pod: PodInfo): Placement;
  preempt(pod: PodInfo, placement: Refused, now: number): Preemption;
  /** Called before anything else with the process's cache. */
  attach(cache: CacheView): void;
  /** Notes pods that a change moved; their keys are enqueued next. */
  note(moved: readonly Moved[] | Moved | undefined): void;
  /** Keys to enqueue since the last call. */
  takeMoved(now: number): readonly Enqueue[];
  /** By how much the process's clock is ahead of the one that nobody sets, by which all else here goes; timestamps are the process's. */
  aheadMs: number;
  /** Drops all that was planned for a pod beyond its place on a node. */
  settle(uid: string, key: string): void;
  /** What of it the cache does not tell, as plain data. What is remembered of looks and attempts follows from the rest. */
  describe(): unknown;
  /** A pod's last attempt, for tests and questions. */
  onAttempt: ((pod: QueuedPod, placement: Placement) => void) | undefined;
}

interface Start {
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly now: number;
  readonly random: RandomStream;
}

/** What most deltas move. */
const NOTHING: readonly Enqueue[] = [];

/** The state of a scheduler that has just started. */
export function createState(settings: SchedulerSettings, { names, gates, now, random }: Start): SchedulerState {
  let cache: CacheView | undefined;
  let moved: Moved[] = [];
  let others = 0;
  const eventsOf = new Map(settings.plugins.map((plugin) => [plugin.name, plugin.events]));
  const helps = (plugin: string, { resource, action }: ClusterChange): boolean => eventsOf.get(plugin)?.[resource]?.has(action) === true;
  const model = createClusterModel(names);
  const nominator = createNominator();
  const view = viewOf({ names, gates, model, nominator }, () => cache);
  const queue = createQueue({ startedAt: now, maxRefusedMs: settings.maxRefusedMs, helps });
  const placer = createPlacer({ plugins: settings.plugins, view, nominator, random });
  const decided = new Map<string, Decision>();
  const waiting = createWaitingRoom();
  const state: SchedulerState = {
    settings,
    names,
    model,
    nominator,
    view,
    queue,
    decided,
    waiting,
    equivalent: createEquivalenceCache(),
    version: () => model.version + nominator.version + others,
    othersChanged() {
      others++;
    },
    place: placer.place,
    preempt: (pod, placement, at) => preempt(pod, placement, at, { view, nominator, random, hasPodsBelow: model.hasPodsBelow }),
    attach(given) {
      cache = given;
    },
    note(more) {
      if (more === undefined) return;
      if ('key' in more) moved.push(more);
      else for (const one of more) moved.push(one);
    },
    aheadMs: 0,
    takeMoved(at) {
      if (moved.length === 0) return NOTHING;
      const taken: Enqueue[] = [];
      for (const one of moved) taken.push(one.at === undefined ? one.key : { key: one.key, afterMs: one.at - at });
      if (moved.length === 1) moved.pop();
      else moved = [];
      return taken;
    },
    settle(uid, key) {
      decided.delete(key);
      if (waiting.get(key)?.info.uid === uid) waiting.remove(key);
      nominator.remove(uid);
      view.volumes.release(uid);
      others++;
    },
    describe: () => [
      state.aheadMs,
      queue.describe(),
      nominator.describe(),
      model.describe(),
      waiting.describe(),
      view.volumes.describe(),
      [...decided],
      moved,
      placer.startsAt,
    ],
    onAttempt: undefined,
  };
  return state;
}

/** What plug-ins look at; `cacheNow`: the process's cache, once there is one. */
function viewOf(
  { names, gates, model, nominator }: Pick<SchedulerState, 'names' | 'model' | 'nominator'> & Pick<SchedulerView, 'gates'>,
  cacheNow: () => CacheView | undefined,
): SchedulerView {
  return withHasNominationsCache(
    {
      hasNominations: () => nominator.size > 0,
      cache: () => {
        const cache = cacheNow();
        if (cache === undefined) throw new Error('the scheduler looked at its cache before the first delta');
        return cache;
      },
    },
    {
      names,
      gates,
      groups: model.groups,
      topology: model.topology,
      marks: model.marks,
      volumes: createVolumeBook(),
      volumeIndex: createVolumeIndex(names),
      nodes: model.nodes,
      node: model.node,
      takeStale: model.takeStale,
    },
  );
}
