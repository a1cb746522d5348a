/**
 * A ReplicaSet's pods: the aggregate of them, updated pod by pod, those that it can adopt, and the sets that a change of a pod enqueues.
 * Models: the loops over pods of v1.24 pkg/controller/replicaset, as incremental updates, addPod, updatePod, deletePod.
 */
import type { Pod, ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { compareText, labelMatcher } from '../../../schema/values/index.ts';
import { defineAggregate, type Write, type Delta, type Enqueue, type ObserveContext, type ReconcileInput } from '../../runtime/index.ts';
import {
  createLabelCounts,
  isReady,
  type LabelCounts,
  readySince,
  uidOfController,
  claim,
  podsToAdopt,
  concernedKeys,
  referenced,
  type StatusRetry,
} from '../../shared/index.ts';
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';

export interface ReplicaPods {
  /** Pods that have not ended and are not being deleted, by uid. */
  readonly active: Map<string, Pod>;
  ready: number;
  /** The number of pods that became ready at each instant; Infinity where their status has no time. */
  readonly readyAt: Map<number, number>;
  /** Labels of the active pods. */
  readonly labels: LabelCounts;
}

const emptyPods = (): ReplicaPods => ({ active: new Map(), ready: 0, readyAt: new Map(), labels: createLabelCounts() });

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

const addPod = (pods: ReplicaPods, pod: Pod): void => count(pods, pod, 1);

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

/**
 * The pods of a set: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods.
 */
interface Claim {
  /** The set's pods as they will be after the writes. */
  readonly pods: ReplicaPods;
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** Pods that have ended or are being deleted are neither adopted nor released. */
export function adoptPods({ self: set, cache }: SetInput): Claim {
  const matches = labelMatcher(set.spec.selector);
  const managed = cache.aggregate(replicaPods, set.metadata.uid);
  const orphans = podsToAdopt(set, cache, matches).filter(isActive);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const belongs = ({ metadata }: Pod): boolean => matches(metadata.labels);
  const { kept, writes } = claim(set, managed.active.values(), belongs, orphans);
  const pods = emptyPods();
  for (const pod of [...kept, ...orphans]) addPod(pods, pod);
  return { pods, writes };
}

/** Added to the time until a pod is available, because times in objects are whole seconds. */
const SLACK_MS = 1000;

const concerned = concernedKeys('ReplicaSet');

/** A pod that becomes ready enqueues its set once more, when it becomes available. */
export function setsOfPod(delta: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] {
  const { type, object: pod, old } = delta;
  const keys = concerned(delta, context);
  if (type === 'DELETED' || old === undefined || !isReady(pod) || isReady(old)) return keys;
  const set = referenced('ReplicaSet', pod.metadata.namespace, controllerOf(pod), context);
  const wait = set === undefined ? 0 : minReadyMs(set);
  return set === undefined || wait === 0 ? keys : [...keys, { key: keyOf(set), afterMs: wait + SLACK_MS }];
}

/** The input of the ReplicaSet controller, and its memory between syncs, which is lost with the process. */
export interface SetMemory extends StatusRetry {
  /** Creates or deletes of the outcome in flight. */
  readonly planned?: { readonly creates: number; readonly deletes: number };
  /** The first refusal among them. */
  readonly error?: string;
}

export type SetInput = ReconcileInput<ReplicaSet, SetMemory>;

export const isDying = ({ metadata }: ReplicaSet): boolean => metadata.deletionTimestamp !== undefined;
export const minReadyMs = ({ spec }: ReplicaSet): number => (spec.minReadySeconds ?? 0) * 1000;
