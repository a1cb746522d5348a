/**
 * The pod that a ReplicaSet creates, and the order in which surplus pods are deleted. Models: v1.24 pkg/controller/controller_utils.go
 * GetPodFromTemplate; pkg/controller ActivePodsWithRanks, pkg/controller/replicaset getPodsToDelete.
 */
import type { ReplicaSet, Pod } from '../../../apiserver/kinds/index.ts';
import { type ObjectInput, controllerOf } from '../../../apiserver/machinery/index.ts';
import type { Write } from '../../runtime/index.ts';
import { createPodOf, controllerReference, isReady, readySince } from '../../shared/index.ts';
import { compareText, parseTime, sortedBy } from '../../../schema/values/index.ts';
import { type SetInput, isActive, replicaPods, type ReplicaPods } from './owned.ts';

type Template = ReplicaSet['spec']['template'];

/** Built once per template, because the server validates known parts only once. */
const pods = new WeakMap<Template, { readonly uid: string; readonly pod: ObjectInput }>();

function podOf(set: ReplicaSet): ObjectInput {
  const { template } = set.spec;
  const { uid, name, namespace } = set.metadata;
  const known = pods.get(template);
  if (known?.uid === uid) return known.pod;
  const { labels, annotations, finalizers } = template.metadata;
  const pod: ObjectInput = Object.freeze({
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: Object.freeze({
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: Object.freeze([Object.freeze(controllerReference(set))]),
      ...(finalizers === undefined ? {} : { finalizers }),
    }),
    spec: template.spec,
  });
  pods.set(template, { uid, pod });
  return pod;
}

/** Creates one pod of the set. */
export const createPod = (set: ReplicaSet): Write => createPodOf(set, podOf(set));

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
const NANOS_PER_MS = 1_000_000;

/** The criteria of a pod, read once. */
interface Candidate {
  readonly pod: Pod;
  readonly assigned: number;
  readonly phase: number;
  readonly ready: number;
  readonly cost: number;
  /** Pods of the same controller on its node. */
  readonly neighbours: number;
  readonly readyRank: number | undefined;
  readonly readyTime: number;
  readonly restarts: number;
  readonly age: number;
  readonly created: number;
}

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

const restartsOf = ({ status }: Pod): number =>
  (status.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);

/**
 * Negative: `a` is deleted before `b`. Like upstream's this is not a total order: pods created at the same time compare equal, while each
 * may differ from a third by its uid.
 */
function byWorth(a: Candidate, b: Candidate): number {
  const plain = a.assigned - b.assigned || a.phase - b.phase || a.ready - b.ready || a.cost - b.cost || b.neighbours - a.neighbours;
  if (plain !== 0) return plain;
  const chance = compareText(a.pod.metadata.uid, b.pod.metadata.uid);
  if (a.readyRank !== undefined && b.readyRank !== undefined && a.readyTime !== b.readyTime) return a.readyRank - b.readyRank || chance;
  const restarts = b.restarts - a.restarts;
  if (restarts !== 0) return restarts;
  return a.created === b.created ? 0 : a.age - b.age || chance;
}

/** Selects so many pods; candidates are compared only if some pods stay. */
export function podsToDelete(input: SetInput, { active }: ReplicaPods, surplus: number): readonly Pod[] {
  const { now, names, gates } = input;
  const pods = [...active.values()];
  if (surplus >= pods.length) return pods;
  const onNode = neighbours(input);
  const costs = gates['PodDeletionCost'] === true;
  // Without the gate the youngest pod is deleted.
  const ageOf =
    gates['LogarithmicScaleDown'] === false ? (since: number): number => -since : (since: number): number => magnitude(since, now);
  const key = names.key('controller', 'pod-deletion-cost');
  const candidates = pods.map((pod): Candidate => {
    const since = readySince(pod);
    const created = parseTime(pod.metadata.creationTimestamp);
    const node = pod.spec.nodeName ?? '';
    return {
      pod,
      assigned: node === '' ? 0 : 1,
      phase: PHASES[pod.status.phase] ?? 0,
      ready: isReady(pod) ? 1 : 0,
      cost: costs ? costOf(pod.metadata.annotations?.[key]) : 0,
      neighbours: onNode.get(node) ?? 0,
      readyTime: since ?? 0,
      readyRank: since === undefined ? undefined : since === Infinity ? -Infinity : ageOf(since),
      restarts: restartsOf(pod),
      created,
      age: ageOf(created),
    };
  });
  return sortedBy(candidates, byWorth)
    .slice(0, surplus)
    .map(({ pod }) => pod);
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
