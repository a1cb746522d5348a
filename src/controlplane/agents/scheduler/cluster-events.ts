/** Cluster events that may make an unschedulable pod schedulable. Models: v1.24 pkg/scheduler/framework ClusterEvent, eventhandlers. */
import type { Node } from '../../../apiserver/kinds/index.ts';

export type ResourceName =
  | 'Pod'
  | 'Node'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity';
/** The kind of change; updates of a node are distinguished by the changed part. */
export type ClusterAction = 'add' | 'update' | 'delete' | 'allocatable' | 'labels' | 'taints' | 'conditions';
export type ClusterActions = ReadonlySet<ClusterAction>;

export interface ClusterChange {
  readonly resource: ResourceName;
  readonly action: ClusterAction;
}

/** A set of actions, for a plugin's `events`. */
export const on = (...actions: readonly ClusterAction[]): ClusterActions => new Set(actions);

const sameTexts = (a: Readonly<Record<string, string>> | undefined, b: Readonly<Record<string, string>> | undefined): boolean => {
  if (a === b) return true;
  const left = Object.entries(a ?? {});
  if (left.length !== Object.keys(b ?? {}).length) return false;
  return left.every(([key, value]) => b?.[key] === value);
};

const sameTaints = (a: Node['spec']['taints'], b: Node['spec']['taints']): boolean =>
  a === b ||
  ((a?.length ?? 0) === (b?.length ?? 0) &&
    (a ?? []).every((taint, i) => {
      const other = b?.[i];
      return (
        taint.key === other?.key &&
        (taint.value ?? '') === (other.value ?? '') &&
        taint.effect === other.effect &&
        taint.timeAdded === other.timeAdded
      );
    }));

const conditionsOf = (node: Node): Readonly<Record<string, string>> =>
  Object.fromEntries((node.status.conditions ?? []).map(({ type, status }) => [type, status]));

/** The most relevant change of a node; undefined: it does not matter to scheduling. */
export function nodeChange(node: Node, old: Node): ClusterAction | undefined {
  if (old.spec.unschedulable === true && node.spec.unschedulable !== true) return 'taints';
  if (!sameTexts(old.status.allocatable, node.status.allocatable)) return 'allocatable';
  if (!sameTexts(old.metadata.labels, node.metadata.labels)) return 'labels';
  if (!sameTaints(old.spec.taints, node.spec.taints)) return 'taints';
  if (old.status.conditions !== node.status.conditions && !sameTexts(conditionsOf(old), conditionsOf(node))) return 'conditions';
  return undefined;
}
