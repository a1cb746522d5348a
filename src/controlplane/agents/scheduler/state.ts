/** The state of a running scheduler, lost with its process. */
import type { RandomStream } from '../../../engine/random.ts';
import type { FeatureGates, Names } from '../../../apiserver/machinery/index.ts';
import type { CacheView, Enqueue, Outcome } from '../../runtime/index.ts';
import { createEquivalenceCache, type EquivalenceCache } from './equivalence.ts';
import { type ClusterChange, createNominator, type Nominator } from './cluster-events.ts';
import { createClusterModel, type ClusterModel } from './cluster-model.ts';
import { createPlacer, type Placement, type Refused } from './placement.ts';
import { preempt, type Preemption } from './preemption.ts';
import type { Plugin, SchedulerView } from './plugin.ts';
import type { PodInfo } from './node-info.ts';
import { createQueue, type Moved, type QueuedPod, type SchedulingQueue } from './queue.ts';
import { createAssumedVolumes } from './volumes/assumed-volumes.ts';
import { createVolumeIndex } from './volumes/objects.ts';
import { createAwaitingPreBind, type AwaitingPreBind } from './volumes/prebind.ts';
import { accessors } from '../../../engine/index.ts';

const withHasNominationsCache = accessors('hasNominations', 'cache');

/** Settings that flags and profiles may change. */
export interface SchedulerSettings {
  /** The `spec.schedulerName` of its pods. */
  readonly schedulerName: string;
  readonly plugins: readonly Plugin[];
  /** Unschedulable pods are tried again after this time without any change, milliseconds. */
  readonly maxRefusedMs: number;
}

/** A decision about a pod that is not executed yet. */
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
  /** Increases with every change that an attempt could read. */
  version(): number;
  /** Records a change of something other than nodes, pods and nominations. */
  othersChanged(): void;
  /** Pods that have a node and wait for their claims. */
  readonly waiting: AwaitingPreBind;
  place(pod: PodInfo): Placement;
  preempt(pod: PodInfo, placement: Refused, now: number): Preemption;
  /** Called first, with the process's cache. */
  attach(cache: CacheView): void;
  /** Records pods that a change moved; their keys are enqueued next. */
  note(moved: readonly Moved[] | Moved | undefined): void;
  /** Keys to enqueue since the last call. */
  takeMoved(now: number): readonly Enqueue[];
  /** The skew of the process's wall clock against the monotonic one, which the queue uses; times in objects use the wall clock. */
  aheadMs: number;
  /** Drops everything planned for a pod, except its assumed node. */
  settle(uid: string, key: string): void;
  /** State that the watch cache does not have, as plain data. Cached results of attempts follow from the rest. */
  describe(): unknown;
  /** Called with the last attempt for a pod, for tests and introspection. */
  onAttempt: ((pod: QueuedPod, placement: Placement) => void) | undefined;
}

interface Start {
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly now: number;
  readonly random: RandomStream;
}

/** The result for most deltas. */
const NOTHING: readonly Enqueue[] = [];

/** The state of a new scheduler. */
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
  const waiting = createAwaitingPreBind();
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

/** The view of plugins; `cacheNow`: the process's cache, once there is one. */
function viewOf(
  { names, gates, model, nominator }: Pick<SchedulerState, 'names' | 'model' | 'nominator'> & Pick<SchedulerView, 'gates'>,
  cacheNow: () => CacheView | undefined,
): SchedulerView {
  return withHasNominationsCache(
    {
      hasNominations: () => nominator.size > 0,
      cache: () => {
        const cache = cacheNow();
        if (cache === undefined) throw new Error('the scheduler read its cache before the first delta');
        return cache;
      },
    },
    {
      names,
      gates,
      groups: model.groups,
      topology: model.topology,
      marks: model.marks,
      volumes: createAssumedVolumes(),
      volumeIndex: createVolumeIndex(names),
      nodes: model.nodes,
      node: model.node,
      takeStale: model.takeStale,
    },
  );
}
