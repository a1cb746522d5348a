/** Cluster events that may make an unschedulable pod schedulable. Models: v1.24 pkg/scheduler/framework ClusterEvent, eventhandlers. */
import type { Node } from '../../../apiserver/kinds/index.ts';
import { sameJson } from '../../../apiserver/patch/index.ts';

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

export const on = (...actions: readonly ClusterAction[]): ClusterActions => new Set(actions);

const conditionsOf = (node: Node): Readonly<Record<string, string>> =>
  Object.fromEntries((node.status.conditions ?? []).map(({ type, status }) => [type, status]));

/** The most relevant change of a node; undefined: it does not matter to scheduling. */
export function nodeChange(node: Node, old: Node): ClusterAction | undefined {
  if (old.spec.unschedulable === true && node.spec.unschedulable !== true) return 'taints';
  if (!sameJson(old.status.allocatable ?? {}, node.status.allocatable ?? {})) return 'allocatable';
  if (!sameJson(old.metadata.labels ?? {}, node.metadata.labels ?? {})) return 'labels';
  if (!sameJson(old.spec.taints ?? [], node.spec.taints ?? [])) return 'taints';
  if (old.status.conditions !== node.status.conditions && !sameJson(conditionsOf(old), conditionsOf(node))) return 'conditions';
  return undefined;
}
