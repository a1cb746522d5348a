/**
 * The contract of a scheduling plug-in. For one pod it may offer a filter (may this pod go on that node?) and a scorer (how good is
 * it there?); offering none says that the pod does not concern it. Models: v1.24 pkg/scheduler/framework interface.
 */
import type { ClusterActions, ResourceName } from './cluster-events.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import type { SchedulerView } from './view.ts';

/** `unresolvable`: removing pods from the node would not help. `error`: the attempt fails as a whole. */
export type RefusalCode = 'unschedulable' | 'unresolvable' | 'error';

/** Why a pod may not go on a node. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly reasons: readonly string[];
}

/** Why one node was refused, all plug-ins taken together. */
export interface NodeRefusal extends Refusal {
  readonly plugins: readonly string[];
}

/** A plug-in's filter for one pod. */
export interface NodeFilter {
  check(node: NodeInfo): Refusal | undefined;
  /** The pod `other` is taken to be (or no longer to be) on the node: what if? */
  add?(other: PodInfo, node: NodeInfo): void;
  remove?(other: PodInfo, node: NodeInfo): void;
  /** An independent copy; needed with `add` and `remove`. */
  clone?(): NodeFilter;
}

/** A plug-in's scorer for one pod: raw scores, then (if given) their scaling to 0…100 in place. */
export interface NodeScorer {
  score(node: NodeInfo): number;
  normalise?(scores: number[], nodes: readonly NodeInfo[]): void;
}

/** All nodes refused at once, or only these allowed. */
export type PreFilterResult = { readonly refusal: Refusal } | { readonly filter?: NodeFilter; readonly onlyNodes?: ReadonlySet<string> };

export interface Plugin {
  readonly name: string;
  /** Changes in the cluster that may make a pod schedulable that this plug-in refused. */
  readonly events: Partial<Readonly<Record<ResourceName, ClusterActions>>>;
  /**
   * Its filter, and its scorer where that needs no scaling, depend on nothing but the pod's spec and the NodeInfo: what they said of a node
   * holds for all pods of that spec until the node changes.
   */
  readonly local?: true;
  /** The filter for a pod; undefined when every node is fine. */
  filterFor?(pod: PodInfo, view: SchedulerView): PreFilterResult | undefined;
  readonly weight?: number;
  /** The scorer for a pod among feasible nodes; a number when all of them score that. */
  scorerFor?(pod: PodInfo, view: SchedulerView, nodes: readonly NodeInfo[]): NodeScorer | number;
}

/** A refusal that evicting pods may turn. */
export const unschedulable = (...reasons: readonly string[]): Refusal => ({ code: 'unschedulable', reasons });
/** A refusal that evicting pods cannot turn. */
export const unresolvable = (...reasons: readonly string[]): Refusal => ({ code: 'unresolvable', reasons });

export const MAX_SCORE = 100;

/**
 * Scales scores so that the largest becomes 100; `reverse` turns them round. Models: pkg/scheduler/framework/plugins/helper
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
