/**
 * Invariants of StatefulSets: the order and the updates of their pods, against the state of the other pods before each write; identities,
 * status and settled state. Actions of users, evictions and failing nodes are not violations: only the controller's writes are checked.
 */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { storeKey, controllerOf } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import {
  createVersions,
  asPod,
  isDying,
  nameOf,
  storedController,
  atRest,
  isOver,
  isReady,
  lieIn,
  podsOf,
  observedGenerationIsTrue,
} from '../forms.ts';
import { type Answer, type Facts, type Invariant, ofChanges } from '../invariant.ts';
import { createSetPodsIndex, CONTROLLER, GRACE_MS, isOrdered, partitionOf, placeOf, revisionOf, identityOf, isWell } from './pods.ts';
import type { SetPods, Place } from './pods.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';

interface Move {
  readonly change: Change;
  readonly pod: Pod;
  readonly place: Place;
  readonly set: StatefulSet;
  /** The versions on which the decision may be based. */
  readonly versions: readonly StatefulSet[];
  /** The pods of the set, without this write. */
  readonly setPods: SetPods | undefined;
  readonly facts: Facts;
}

/** `judge` returns the rest of a sentence about the pod. */
const ofPodsOfSets = (name: string, description: string, judge: (move: Move) => Answer): Invariant =>
  ofChanges(
    name,
    description,
    { kinds: ['StatefulSet', 'Pod'], about: (pod) => `pod ${nameOf(pod)} ` },
    () => ({ index: createSetPodsIndex(), versions: createVersions('StatefulSet') }),
    (change, facts, { index, versions }, controller) => {
      versions.observe(change);
      const pod = controller === CONTROLLER ? asPod(change.object) : undefined;
      const place = placeOf(pod);
      const set = pod === undefined ? undefined : storedController('StatefulSet', pod, facts);
      const answer =
        pod !== undefined &&
        place !== undefined &&
        set !== undefined &&
        judge({ change, pod, place, set, versions: versions.of(place.setUid), setPods: index.of(place.setUid), facts });
      index.observe(change, controller);
      return answer;
    },
    ({ index, versions }) => [index.describe(), versions.describe()],
  );

const startsInOrder = ofPodsOfSets(
  'stateful-set/starts-in-order',
  'With OrderedReady a pod is created only when all before it are running and ready (or were, when the decision was made).',
  ({ change: { type }, set, place: { ordinal }, setPods, facts: { now } }) => {
    if (type !== 'ADDED' || !isOrdered(set) || ordinal === 0) return false;
    const first = setPods?.lately(now).nextAbsent(0) ?? 0;
    const how = setPods?.ordinals.get(first)?.present === true ? 'not ready' : 'missing';
    return first >= ordinal || `was created while ${first} was ${how}`;
  },
);

const stopsInReverse = ofPodsOfSets(
  'stateful-set/stops-in-reverse',
  'With OrderedReady surplus pods are deleted from the highest ordinal down, each when the one above it is gone.',
  ({ change: { type, object, previous }, set, place: { ordinal }, setPods, versions, facts: { now } }) => {
    if (type !== 'MODIFIED' || previous === undefined || isDying(previous) || !isDying(object) || !isOrdered(set)) return false;
    if (setPods === undefined || !versions.every(({ spec }) => ordinal >= spec.replicas)) return false;
    const above = setPods.known(now).next(ordinal + 1);
    return above === undefined || `was deleted while ${above} still existed`;
  },
);

const partitionRespected = ofPodsOfSets(
  'stateful-set/partition-respected',
  'A pod below the partition of a rolling update is created from the current revision, not from the update revision.',
  ({ change: { type }, pod, set, place: { ordinal }, versions, facts }) => {
    const {
      status: { currentRevision, updateRevision },
      spec,
    } = set;
    if (type !== 'ADDED' || spec.updateStrategy.type !== 'RollingUpdate' || ordinal >= partitionOf(set) || currentRevision === undefined)
      return false;
    // When the ControllerRevision of the current template was deleted, pods can be created only from the update revision.
    if (facts.get('ControllerRevision', storeKey(pod.metadata.namespace, currentRevision)) === undefined) return false;
    if (revisionOf(pod) !== currentRevision && versions.every((version) => ordinal < partitionOf(version)))
      return `is below partition ${partitionOf(set)}, yet it was created from ${revisionOf(pod)}, not from ${currentRevision}`;
    return currentRevision !== updateRevision;
  },
);

const maxUnavailable = ({ spec }: StatefulSet, gated: boolean): number => {
  const value = gated ? scaledIntOrPercent(spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, spec.replicas, true) : undefined;
  return value?.error === undefined ? Math.max(1, value?.value ?? 1) : 1;
};

/**
 * Returns the number of desired pods from an ordinal on that are not ready and were not ready at the decision, or that the update itself
 * deleted. The pod that is being deleted by this write is ready.
 */
function unavailable(setPods: SetPods, from: number, replicas: number, now: number): number {
  const notTaken = setPods.notTaken(now);
  return Math.max(0, replicas - from - notTaken.countBelow(replicas) + notTaken.countBelow(from));
}

/** Returns the number of pods that the controller deleted in an earlier decision, so recently that its cache may not show it. */
const takenBefore = ({ ordinals }: SetPods, from: number, replicas: number, now: number): number =>
  [...ordinals].filter(
    ([ordinal, { taken, well, lastWellAt = now }]) =>
      ordinal >= from && ordinal < replicas && taken && !well && lastWellAt < now && now - lastWellAt <= GRACE_MS,
  ).length;

const maxUnavailableRespected = ofPodsOfSets(
  'stateful-set/max-unavailable-respected',
  'A rolling update deletes a ready pod only while fewer than maxUnavailable pods are unavailable; without the feature gate the limit is one, and with Parallel only higher ordinals count.',
  ({ change: { type }, pod, set, place: { ordinal }, setPods, versions, facts: { gates, now } }) => {
    if (
      type !== 'MODIFIED' ||
      !isDying(pod) ||
      setPods?.ordinals.get(ordinal)?.well !== true ||
      !versions.every(({ spec }) => ordinal < spec.replicas)
    )
      return false;
    // A pod of the present template is not deleted by the update: a controller with a stale list may consider it surplus.
    if (revisionOf(pod) === set.status.updateRevision && set.status.observedGeneration === set.metadata.generation) return false;
    const gated = gates['MaxUnavailableStatefulSet'] === true;
    const most = Math.max(...versions.map((version) => maxUnavailable(version, gated)));
    const from = gated || isOrdered(set) ? 0 : ordinal + 1;
    // The controller counts the pods in its cache and does not wait for its own deletions: it may have observed the new set before those.
    const replicas = Math.min(...versions.map(({ spec }) => spec.replicas));
    const unseen = versions.length > 1 ? takenBefore(setPods, from, replicas, now) : 0;
    const down = setPods.wellCount >= set.spec.replicas ? 0 : unavailable(setPods, from, replicas, now) - unseen;
    return down < most || `was deleted while ${down} other pods were unavailable, and at most ${most} may be`;
  },
);

const onePodPerOrdinal = ofChanges(
  'stateful-set/at-most-one-pod-per-ordinal',
  'No two unfinished pods of a StatefulSet have the same identity.',
  { kinds: ['Pod'] },
  /** Uids by identity, and the identity of each uid: a pod may be released and keep its name. */
  () => ({ holders: new Map<string, string>(), identities: new Map<string, string>() }),
  ({ type, object: pod }, { names }, { holders, identities }) => {
    const { uid } = pod.metadata;
    const owner = controllerOf(pod);
    const finished = type === 'DELETED' || isOver(pod);
    const identity = finished || owner?.kind !== 'StatefulSet' ? undefined : `${owner.uid}/${identityOf(pod, names)}`;
    const had = identities.get(uid);
    if (had === identity) return undefined;
    if (had !== undefined) {
      identities.delete(uid);
      holders.delete(had);
    }
    if (identity === undefined) return undefined;
    if (holders.has(identity))
      return `two pods are ${identityOf(pod, names)} of StatefulSet ${owner?.name ?? ''}, one of them ${pod.metadata.name}`;
    identities.set(uid, identity);
    holders.set(identity, uid);
    return true;
  },
);

const withPods = (name: string, description: string, judge: (set: StatefulSet, pods: readonly Pod[]) => Answer): Invariant =>
  atRest('StatefulSet', name, description, (set, facts) => judge(set, podsOf(set, facts)));

const statusTellsTheTruth = withPods(
  'stateful-set/status-tells-the-truth',
  "When everything has settled, a StatefulSet's status has observed its newest generation and counts the pods there are.",
  (set, pods) => {
    const {
      status,
      metadata: { generation = 0 },
    } = set;
    const ofRevision = (revision: string | undefined): number => pods.filter((pod) => !isDying(pod) && revisionOf(pod) === revision).length;
    return lieIn([
      ['observedGeneration', status.observedGeneration, generation],
      ['replicas', status.replicas, pods.length],
      ['readyReplicas', status.readyReplicas, pods.filter(isReady).length],
      ['updatedReplicas', status.updatedReplicas, ofRevision(status.updateRevision)],
      ['currentReplicas', status.currentReplicas, ofRevision(status.currentRevision)],
    ]);
  },
);

const comesToRestComplete = withPods(
  'stateful-set/comes-to-rest-complete',
  'When everything has settled and every pod is ready, a StatefulSet has its desired pods and no others, of the revisions that its update strategy requires.',
  (set, pods) => {
    if (!pods.every(isWell)) return undefined;
    const ordinals = new Set(pods.map((pod) => placeOf(pod)?.ordinal ?? -1));
    const missing = Array.from({ length: set.spec.replicas }, (_, ordinal) => ordinal).find((ordinal) => !ordinals.has(ordinal));
    if (missing !== undefined) return `is missing pod ${missing}, and nothing will happen any more`;
    const extra = pods.find((pod) => (placeOf(pod)?.ordinal ?? Infinity) >= set.spec.replicas);
    if (extra !== undefined) return `has pod ${extra.metadata.name} and wants only ${set.spec.replicas}, and nothing will happen any more`;
    const stale =
      set.spec.updateStrategy.type === 'RollingUpdate'
        ? pods.find((pod) => (placeOf(pod)?.ordinal ?? 0) >= partitionOf(set) && revisionOf(pod) !== set.status.updateRevision)
        : undefined;
    if (stale === undefined) return true;
    return `has pod ${stale.metadata.name} of ${revisionOf(stale)} where ${set.status.updateRevision ?? ''} is wanted, and nothing will happen any more`;
  },
);

export const statefulSetInvariants: readonly Invariant[] = [
  onePodPerOrdinal,
  startsInOrder,
  stopsInReverse,
  partitionRespected,
  maxUnavailableRespected,
  observedGenerationIsTrue('StatefulSet', 'stateful-set'),
  statusTellsTheTruth,
  comesToRestComplete,
];
