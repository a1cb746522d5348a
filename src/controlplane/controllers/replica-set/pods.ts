/**
 * The aggregate of a ReplicaSet's pods, updated pod by pod. Models: the loops over pods of v1.24 pkg/controller/replicaset, as incremental
 * updates.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { defineAggregate } from '../../runtime/index.ts';
import { createLabelCounts, isReady, type LabelCounts, readySince, uidOfController } from '../../shared/index.ts';

export interface ReplicaPods {
  /** Pods that have not ended and are not being deleted, by uid. */
  readonly active: Map<string, Pod>;
  ready: number;
  /** The number of pods that became ready at each instant; Infinity where their status has no time. */
  readonly readyAt: Map<number, number>;
  /** Labels of the active pods. */
  readonly labels: LabelCounts;
}

export const emptyPods = (): ReplicaPods => ({ active: new Map(), ready: 0, readyAt: new Map(), labels: createLabelCounts() });

export const isActive = ({ metadata, status: { phase } }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';

function count(pods: ReplicaPods, pod: Pod, by: 1 | -1): void {
  if (!isActive(pod)) return;
  if (by === 1) pods.active.set(pod.metadata.uid, pod);
  else pods.active.delete(pod.metadata.uid);
  pods.labels.count(pod.metadata.labels, by);
  if (!isReady(pod)) return;
  pods.ready += by;
  const since = readySince(pod) ?? Infinity;
  const left = (pods.readyAt.get(since) ?? 0) + by;
  if (left === 0) pods.readyAt.delete(since);
  else pods.readyAt.set(since, left);
}

export const addPod = (pods: ReplicaPods, pod: Pod): void => count(pods, pod, 1);

/**
 * Pods that have been ready for that long, milliseconds. Upstream requires a longer time; its clock has advanced when it checks, while this
 * one is exactly at the wake-up time.
 */
export function availableCount({ ready, readyAt }: ReplicaPods, minReadyMs: number, now: number): number {
  if (minReadyMs === 0) return ready;
  let available = 0;
  for (const [since, pods] of readyAt) if (since + minReadyMs <= now) available += pods;
  return available;
}

/** The pods that a ReplicaSet controls, by its uid. */
export const replicaPods = defineAggregate<'Pod', ReplicaPods>({
  name: 'pods of a ReplicaSet',
  kind: 'Pod',
  groupOf: uidOfController('ReplicaSet'),
  empty: emptyPods,
  add: addPod,
  remove: (pods, pod) => count(pods, pod, -1),
  change(pods, before, after) {
    const stays = isActive(before) && isActive(after) && before.metadata.uid === after.metadata.uid;
    if (stays && before.metadata.labels === after.metadata.labels && before.status.conditions === after.status.conditions) {
      pods.active.set(after.metadata.uid, after);
      return;
    }
    count(pods, before, -1);
    count(pods, after, 1);
  },
  plain: ({ active, ready, readyAt, labels }) => ({
    active: [...active.keys()].sort(compareText),
    ready,
    readyAt: [...readyAt].sort(([a], [b]) => a - b).map(([at, pods]) => [String(at), pods]),
    labels: labels.plain(),
  }),
});
