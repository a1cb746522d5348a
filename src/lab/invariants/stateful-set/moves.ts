/**
 * Invariants of the controller's writes to the pods of a set, against the state of the other pods before the write: order and updates.
 */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { storeKey } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { createVersions, asPod, isDying, nameOf, storedController } from '../forms.ts';
import { type Answer, type Facts, type Invariant, ofChanges } from '../invariant.ts';
import { createSetPodsIndex, type SetPods, CONTROLLER, GRACE_MS, isOrdered, partitionOf, type Place, placeOf, revisionOf } from './pods.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';

export interface Move {
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
const ofPodsOfSets = (properties: Pick<Invariant, 'name' | 'description'>, judge: (move: Move) => Answer): Invariant =>
  ofChanges(
    { ...properties, kinds: ['StatefulSet', 'Pod'], about: (pod) => `pod ${nameOf(pod)} ` },
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

export const startsInOrder = ofPodsOfSets(
  {
    name: 'stateful-set/starts-in-order',
    description: 'With OrderedReady a pod is created only when all before it are running and ready (or were, when the decision was made).',
  },
  ({ change: { type }, set, place: { ordinal }, setPods, facts: { now } }) => {
    if (type !== 'ADDED' || !isOrdered(set) || ordinal === 0) return false;
    const first = setPods?.lately(now).firstFree() ?? 0;
    const how = setPods?.ordinals.get(first)?.present === true ? 'not ready' : 'missing';
    return first >= ordinal || `was created while ${first} was ${how}`;
  },
);

export const stopsInReverse = ofPodsOfSets(
  {
    name: 'stateful-set/stops-in-reverse',
    description: 'With OrderedReady surplus pods are deleted from the highest ordinal down, each when the one above it is gone.',
  },
  ({ change: { type, object, previous }, set, place: { ordinal }, setPods, versions, facts: { now } }) => {
    if (type !== 'MODIFIED' || previous === undefined || isDying(previous) || !isDying(object) || !isOrdered(set)) return false;
    if (setPods === undefined || !versions.every(({ spec }) => ordinal >= spec.replicas)) return false;
    const above = setPods.known(now).firstFrom(ordinal + 1);
    return above === undefined || `was deleted while ${above} still existed`;
  },
);

export const partitionRespected = ofPodsOfSets(
  {
    name: 'stateful-set/partition-respected',
    description: 'A pod below the partition of a rolling update is created from the current revision, not from the update revision.',
  },
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
  return Math.max(0, replicas - from - notTaken.below(replicas) + notTaken.below(from));
}

/** Returns the number of pods that the controller deleted in an earlier decision, so recently that its cache may not show it. */
const takenBefore = ({ ordinals }: SetPods, from: number, replicas: number, now: number): number =>
  [...ordinals].filter(
    ([ordinal, { taken, well, lastWellAt = now }]) =>
      ordinal >= from && ordinal < replicas && taken && !well && lastWellAt < now && now - lastWellAt <= GRACE_MS,
  ).length;

export const maxUnavailableRespected = ofPodsOfSets(
  {
    name: 'stateful-set/max-unavailable-respected',
    description:
      'A rolling update deletes a ready pod only while fewer than maxUnavailable pods are unavailable; without the feature gate the limit is one, and with Parallel only higher ordinals count.',
  },
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
