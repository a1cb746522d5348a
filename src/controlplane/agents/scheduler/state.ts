/**
 * The state of a running scheduler, lost with its process. The nodes on which pods are put because a scenario says so, as in the replay of
 * an incident: the n-th pod that is bound gets the n-th node.
 */
import type { RandomStream } from '../../../engine/random.ts';
import type { FeatureGates, Names, PodSpec } from '../../../apiserver/machinery/index.ts';
import type { CacheView, Enqueue, Outcome } from '../../runtime/index.ts';
import { ClusterModel } from './cluster-model.ts';
import { Placer, type Placement, type Refused } from './placement.ts';
import { preempt, type Preemption } from './preemption.ts';
import type { Plugin, SchedulerView } from './plugin.ts';
import type { PodInfo } from './node-info.ts';
import { groupName } from './pod-groups.ts';
import { Nominator, SchedulingQueue, type Moved, type QueuedPod } from './queue.ts';
import { AssumedVolumes } from './volumes/assumed-volumes.ts';
import { createVolumeIndex } from './volumes/objects.ts';
import type { PodBehavior } from '../specs.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { selectionOf } from '../../shared/index.ts';

/** Settings that flags and profiles may change. */
export interface SchedulerSettings {
  /** The `spec.schedulerName` of its pods. */
  readonly schedulerName: string;
  readonly plugins: readonly Plugin[];
  /** Unschedulable pods are tried again after this time without any change, milliseconds. */
  readonly maxRefusedMs: number;
  /** May state the nodes of pods. */
  readonly podBehaviors?: readonly PodBehavior[];
}

interface Start {
  readonly names: Names;
  readonly gates: FeatureGates;
  readonly now: number;
  readonly random: RandomStream;
}

const enqueueOf = ({ key, at }: Moved, now: number): Enqueue => (at === undefined ? key : { key, afterMs: at - now });

const NOTHING: readonly Enqueue[] = [];

export class SchedulerState implements SchedulerView {
  readonly settings: SchedulerSettings;
  readonly names: Names;
  readonly model: ClusterModel;
  readonly queue: SchedulingQueue;
  readonly nominator = new Nominator();
  readonly gates: FeatureGates;
  readonly volumes = new AssumedVolumes();
  readonly volumeIndex: SchedulerView['volumeIndex'];
  /** Decisions about pods that are not executed yet. */
  readonly decided = new Map<string, { readonly uid: string; readonly outcome: Outcome }>();
  readonly equivalent = createEquivalenceCache();
  /** The skew of the process's wall clock against the monotonic one, which the queue uses; times in objects use the wall clock. */
  aheadMs = 0;
  /** Called with the last attempt for a pod, for tests and introspection. */
  onAttempt: ((pod: QueuedPod, placement: Placement) => void) | undefined;
  private readonly placer: Placer;
  private readonly placements: Placements | undefined;
  private readonly random: RandomStream;
  private attached: CacheView | undefined;
  private moved: Moved[] = [];
  private others = 0;

  constructor(settings: SchedulerSettings, { names, gates, now, random }: Start) {
    const { plugins, maxRefusedMs, podBehaviors } = settings;
    const eventsOf = new Map(plugins.map(({ name, events }) => [name, events]));
    this.settings = settings;
    this.names = names;
    this.random = random;
    this.model = new ClusterModel(names);
    this.gates = gates;
    this.volumeIndex = createVolumeIndex(names);
    this.queue = new SchedulingQueue({
      startedAt: now,
      maxRefusedMs,
      helps: (plugin, { resource, action }) => eventsOf.get(plugin)?.[resource]?.has(action) === true,
    });
    this.placer = new Placer({ plugins, view: this, random });
    this.placements = placementsOf(podBehaviors);
  }

  get cache(): CacheView {
    if (this.attached === undefined) throw new Error('the scheduler read its cache before the first delta');
    return this.attached;
  }

  version(): number {
    return this.model.version + this.nominator.version + this.others;
  }

  /** Records a change of something other than nodes, pods and nominations. */
  othersChanged(): void {
    this.others++;
  }

  place(pod: PodInfo): Placement {
    const { placements } = this;
    const placement = this.placer.place(pod, placements?.next(pod.pod));
    if (placement.type === 'placed') placements?.put(pod.pod);
    return placement;
  }

  preempt(pod: PodInfo, placement: Refused, at: number): Preemption {
    return preempt(pod, placement, at, this, this.random);
  }

  /** Called first, with the process's cache. */
  attach(cache: CacheView): void {
    this.attached = cache;
  }

  /** Records pods that a change moved; their keys are enqueued next. */
  note(more: readonly Moved[] | Moved | undefined): void {
    if (more === undefined) return;
    if ('key' in more) this.moved.push(more);
    else for (const one of more) this.moved.push(one);
  }

  /** Keys to enqueue since the last call. */
  takeMoved(now: number): readonly Enqueue[] {
    const { moved } = this;
    if (moved.length === 0) return NOTHING;
    if (moved.length > 1) {
      this.moved = [];
      return moved.map((each) => enqueueOf(each, now));
    }
    const only = moved.pop();
    return only === undefined ? NOTHING : [enqueueOf(only, now)];
  }

  /** Drops everything planned for a pod, except its assumed node. */
  settle(uid: string, key: string): void {
    this.decided.delete(key);
    this.nominator.remove(uid);
    if (this.volumes.plans.size > 0) this.volumes.release(uid);
    this.others++;
  }

  /** State that the watch cache does not have, as plain data. Cached results of attempts follow from the rest. */
  describe(): unknown {
    const { aheadMs, queue, nominator, model, volumes, decided, moved, placer, placements } = this;
    const parts = [queue, nominator, model, volumes].map((part) => part.describe());
    return [aheadMs, ...parts, [...decided], moved, placer.startsAt, ...(placements === undefined ? [] : [placements.describe()])];
  }
}

class Placements {
  private readonly find: (pod: Pod) => PodBehavior | undefined;
  /** How many pods were put, by behaviour. */
  private readonly counts = new Map<PodBehavior, number>();

  constructor(behaviors: readonly PodBehavior[]) {
    this.find = selectionOf(behaviors);
  }

  /** The node for the next pod like this one; undefined: none is stated. */
  next(pod: Pod): string | undefined {
    const behavior = this.find(pod);
    return behavior?.nodes?.[this.counts.get(behavior) ?? 0];
  }

  /** A pod was put somewhere, on the stated node or, where that was not feasible, on another. */
  put(pod: Pod): void {
    const behavior = this.find(pod);
    if (behavior?.nodes !== undefined) this.counts.set(behavior, (this.counts.get(behavior) ?? 0) + 1);
  }

  describe(): unknown {
    return [...this.counts.values()];
  }
}

/** Returns the placements of behaviours; undefined: none states a node. */
const placementsOf = (behaviors: readonly PodBehavior[] = []): Placements | undefined =>
  behaviors.some(({ nodes }) => nodes !== undefined) ? new Placements(behaviors) : undefined;

export interface RefusedAttempt {
  readonly placement: Refused;
  readonly preemption: Preemption;
  readonly message: string;
}

interface Kept {
  readonly group: string;
  readonly attempt: RefusedAttempt;
}

/** Pods with claims of their own, or with a nominated node, have no equivalents. */
const isOneOfMany = ({ pod }: PodInfo): boolean =>
  (pod.status.nominatedNodeName ?? '') === '' && pod.spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) !== true;

/**
 * The equivalence cache: the refused attempts of one version of the cluster, because those of an earlier one are of no use. While nothing
 * has changed since, the next equivalent pod is refused for the same reasons, so that a thousand pods waiting for one node cost one
 * attempt. Upstream v1.24 has no such cache; results are identical without it.
 */
function createEquivalenceCache() {
  const bySpec = new Map<PodSpec, Kept>();
  const held = { version: 0 };
  return {
    find(pod: PodInfo, version: number): RefusedAttempt | undefined {
      const kept = held.version === version ? bySpec.get(pod.pod.spec) : undefined;
      return kept !== undefined && isOneOfMany(pod) && kept.group === groupName(pod.pod) ? kept.attempt : undefined;
    },
    keep(pod: PodInfo, version: number, attempt: RefusedAttempt): void {
      if (!isOneOfMany(pod)) return;
      if (held.version !== version) bySpec.clear();
      held.version = version;
      bySpec.set(pod.pod.spec, { group: groupName(pod.pod), attempt });
    },
  };
}
