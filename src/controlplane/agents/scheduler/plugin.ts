/**
 * The contract of a scheduling plugin. For each pod it may provide a filter (may this pod run on that node?) and a scorer (how good is the
 * node?); providing none means that the plugin does not concern the pod. Models: v1.24 pkg/scheduler/framework interface.
 */
import type { ClusterActions, ResourceName } from './cluster-events.ts';
import type { Nominator } from './queue.ts';
import type { NodeInfo, PodInfo } from './node-info.ts';
import type { FeatureGates, Names } from '../../../apiserver/machinery/index.ts';
import type { CacheView } from '../../runtime/index.ts';
import type { ClusterModel } from './cluster-model.ts';
import type { AssumedVolumes } from './volumes/assumed-volumes.ts';
import type { createVolumeIndex } from './volumes/objects.ts';

/** `unresolvable`: preemption would not help. `error`: the whole attempt fails. */
export type RefusalCode = 'unschedulable' | 'unresolvable' | 'error';

export interface Refusal {
  readonly code: RefusalCode;
  readonly reasons: readonly string[];
}

/** The combined refusal of a node by all plugins. */
export interface NodeRefusal extends Refusal {
  readonly plugins: readonly string[];
}

export interface NodeFilter {
  /** The only nodes that may pass; absent: any may. */
  readonly onlyNodes?: ReadonlySet<string>;
  check(node: NodeInfo): Refusal | undefined;
  /** Hypothetically adds the pod `other` to the node. */
  add?(other: PodInfo, node: NodeInfo): void;
  remove?(other: PodInfo, node: NodeInfo): void;
  clone?(): NodeFilter;
}

/** A plugin's scorer for one pod: raw scores, and optionally their normalization to 0…100 in place. */
export interface NodeScorer {
  score(node: NodeInfo): number;
  normalise?(scores: number[], nodes: readonly NodeInfo[]): void;
}

export interface Plugin {
  readonly name: string;
  /** Cluster events that may make a pod schedulable that this plugin refused. */
  readonly events: Partial<Readonly<Record<ResourceName, ClusterActions>>>;
  /**
   * Its filter, and a scorer without normalization, depend only on the pod's spec and the NodeInfo: results are valid for all pods of that
   * spec until the node changes.
   */
  readonly local?: true;
  /** What a pod must have to be filtered: volumes, spread constraints of its own, or affinity between it and others. Absent: nothing. */
  readonly filtersBy?: 'volumes' | 'spread' | 'affinity';
  /** The filter for a pod, or the refusal of all nodes; undefined: every node passes. */
  filterFor?(pod: PodInfo, view: SchedulerView): NodeFilter | Refusal | undefined;
  readonly weight?: number;
  /** The scorer for a pod over feasible nodes; a number: all of them have that score. */
  scorerFor?(pod: PodInfo, view: SchedulerView, nodes: readonly NodeInfo[]): NodeScorer | number;
}

/** A refusal that preemption may resolve. */
export const unschedulable = (...reasons: readonly string[]): Refusal => ({ code: 'unschedulable', reasons });
/** A refusal that preemption cannot resolve. */
export const unresolvable = (...reasons: readonly string[]): Refusal => ({ code: 'unresolvable', reasons });

export const MAX_SCORE = 100;

/**
 * Normalizes scores so that the largest becomes 100; `reverse` inverts them. Models: pkg/scheduler/framework/plugins/helper
 * normalize_score.
 */
export function scaleToMax(scores: number[], reverse: boolean): void {
  let max = 0;
  for (const score of scores) if (score > max) max = score;
  for (let i = 0; i < scores.length; i++) {
    const scaled = max === 0 ? 0 : Math.trunc((MAX_SCORE * (scores[i] ?? 0)) / max);
    scores[i] = reverse ? MAX_SCORE - scaled : scaled;
  }
}

/** The view of plugins while one pod is scheduled: nodes with their pods, and objects of other kinds. */
export interface SchedulerView {
  readonly names: Names;
  readonly gates: FeatureGates;
  /** Objects as the scheduler's watches delivered them. */
  readonly cache: CacheView;
  readonly model: ClusterModel;
  readonly nominator: Nominator;
  /** Volumes and claims reserved for assumed pods. */
  readonly volumes: AssumedVolumes;
  readonly volumeIndex: ReturnType<typeof createVolumeIndex>;
}
