/**
 * A ReplicaSet's pods: the one that it creates, the aggregate of them, updated pod by pod, those that it can adopt, and surplus pods. Models:
 * v1.24 pkg/controller/replicaset addPod, updatePod, deletePod, getPodsToDelete, and its loops over pods, as incremental updates.
 */
import { memo } from '../../../engine/index.ts';
import type { ReplicaSet, Pod } from '../../../apiserver/kinds/index.ts';
import { controllerOf, type ObjectInput } from '../../../apiserver/machinery/index.ts';
import { type Write, defineAggregate, type ReconcileInput } from '../../runtime/index.ts';
import {
  createPodOf,
  inDeletionOrder,
  podMetadata,
  createLabelCounts,
  isReady,
  readySince,
  byController,
  claim,
  podsToAdopt,
} from '../../shared/index.ts';
import type { StatusRetry } from '../../shared/index.ts';
import { compareText, labelMatcher, bump } from '../../../schema/values/index.ts';

type Template = ReplicaSet['spec']['template'];

/** Built once per template, because the server validates known parts only once. */
const pods = memo(new WeakMap<Template, { readonly uid: string; readonly pod: ObjectInput }>());

function podOf(set: ReplicaSet): ObjectInput {
  const { template } = set.spec;
  const { uid } = set.metadata;
  const known = pods.get(template);
  if (known?.uid === uid) return known.pod;
  const pod = Object.freeze({ kind: 'Pod', apiVersion: 'v1', metadata: podMetadata(set, template), spec: template.spec });
  pods.set(template, { uid, pod });
  return pod;
}

export const createPod = (set: ReplicaSet): Write => createPodOf(set, podOf(set));

const NANOS_PER_MS = 1_000_000;

/** Ages are compared by their magnitude, base 2; within one magnitude the uid decides, so that not always the youngest are deleted. */
function magnitude(since: number, now: number): number {
  const nanos = (now - since) * NANOS_PER_MS;
  if (nanos <= 0) return -1;
  let halvings = 0;
  for (let rest = nanos; rest >= 2; rest /= 2) halvings++;
  return halvings;
}

/** A cost that is not a number counts as 0. */
const costOf = (text: string | undefined): number => (text !== undefined && /^-?\d+$/.test(text) ? Number(text) : 0);

/** Selects so many pods; they are compared only if some stay. */
export function podsToDelete(input: SetInput, { active }: ReplicaPods, surplus: number): readonly Pod[] {
  const { now, names, gates } = input;
  const pods = [...active.values()];
  if (surplus >= pods.length) return pods;
  const onNode = neighbours(input);
  const key = names.key('controller', 'pod-deletion-cost');
  return inDeletionOrder(pods, {
    neighboursOf: ({ spec }) => onNode.get(spec.nodeName ?? '') ?? 0,
    ...(gates['PodDeletionCost'] === true ? { costOf: ({ metadata }) => costOf(metadata.annotations?.[key]) } : {}),
    // Without the gate the youngest pod is deleted.
    ...(gates['LogarithmicScaleDown'] === false ? {} : { ageOf: (since) => magnitude(since, now) }),
  }).slice(0, surplus);
}

/** Active pods by node, of all sets with this set's controller. */
function neighbours({ self: set, cache }: SetInput): ReadonlyMap<string, number> {
  const owner = controllerOf(set);
  const found = new Map<string, number>();
  if (owner === undefined) return found;
  for (const { metadata } of cache.by('ReplicaSet', 'controllerUid', owner.uid))
    for (const pod of cache.aggregate(replicaPods, metadata.uid).active.values()) {
      const node = pod.spec.nodeName ?? '';
      if (isActive(pod)) found.set(node, (found.get(node) ?? 0) + 1);
    }
  return found;
}

export type ReplicaPods = ReturnType<typeof emptyPods>;

const emptyPods = () => ({
  /** Pods that have not ended and are not being deleted, by uid. */
  active: new Map<string, Pod>(),
  ready: 0,
  /** The number of pods that became ready at each instant; Infinity where their status has no time. */
  readyAt: new Map<number, number>(),
  labels: createLabelCounts(),
});

const isActive = ({ metadata, status: { phase } }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';

function count(pods: ReplicaPods, pod: Pod, by: 1 | -1): void {
  if (!isActive(pod)) return;
  if (by === 1) pods.active.set(pod.metadata.uid, pod);
  else pods.active.delete(pod.metadata.uid);
  pods.labels.count(pod.metadata.labels, by);
  if (!isReady(pod)) return;
  pods.ready += by;
  bump(pods.readyAt, readySince(pod) ?? Infinity, by);
}

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

export const replicaPods = defineAggregate<'Pod', ReplicaPods>({
  name: 'pods of a ReplicaSet',
  kind: 'Pod',
  ...byController('ReplicaSet'),
  empty: emptyPods,
  add: (pods, pod) => count(pods, pod, 1),
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
 * The pods of a set as they will be after the writes: those that it controls and still selects, and those that it can adopt. Pods that have
 * ended or are being deleted are neither adopted nor released. Models: v1.24 pkg/controller PodControllerRefManager.ClaimPods.
 */
export function adoptPods({ self: set, cache }: SetInput) {
  const matches = labelMatcher(set.spec.selector);
  const managed = cache.aggregate(replicaPods, set.metadata.uid);
  const orphans = podsToAdopt(set, cache, matches).filter(isActive);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier set left pods behind. All pods are visited once.
  const belongs = ({ metadata }: Pod): boolean => matches(metadata.labels);
  const { kept, writes } = claim(set, managed.active.values(), belongs, orphans);
  const pods = emptyPods();
  for (const pod of [...kept, ...orphans]) count(pods, pod, 1);
  return { pods, writes };
}

/** The input of the ReplicaSet controller, and its memory between syncs, which is lost with the process. */
export interface SetMemory extends StatusRetry {
  /** Creates of the outcome in flight. */
  readonly planned?: number;
  /** The first refusal among them. */
  readonly error?: string;
}

export type SetInput = ReconcileInput<ReplicaSet, SetMemory>;
