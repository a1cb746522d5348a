/** What a rolling update may replace, and how much of it at a time. */
import { storeKey } from '../../../apiserver/machinery/index.ts';
import type { StatefulSet } from '../../../apiserver/kinds/index.ts';
import { scaledIntOrPercent } from '../../../schema/values/index.ts';
import { ofPodsOfSets } from './moves.ts';
import { GRACE_MS, isDying, isOrdered, partitionOf, revisionOf } from './reading.ts';
import type { Roster } from './pods.ts';

export const partitionRespected = ofPodsOfSets(
  {
    name: 'stateful-set/partition-respected',
    description: 'A pod below the partition of a rolling update is made of the current revision, not of the update.',
  },
  ({ change: { type }, pod, set, place: { ordinal }, versions, facts }) => {
    const {
      status: { currentRevision, updateRevision },
      spec,
    } = set;
    if (type !== 'ADDED' || spec.updateStrategy.type !== 'RollingUpdate' || ordinal >= partitionOf(set) || currentRevision === undefined)
      return false;
    // Where somebody has deleted what is recorded of the current template, nothing is left to make a pod of but the update.
    if (facts.get('ControllerRevision', storeKey(pod.metadata.namespace, currentRevision)) === undefined) return false;
    if (revisionOf(pod) !== currentRevision && versions.every((version) => ordinal < partitionOf(version)))
      return `is below partition ${partitionOf(set)}, yet it was made of ${revisionOf(pod)}, not of ${currentRevision}`;
    return currentRevision !== updateRevision;
  },
);

const maxUnavailable = ({ spec }: StatefulSet, gated: boolean): number => {
  const value = gated ? scaledIntOrPercent(spec.updateStrategy.rollingUpdate?.maxUnavailable ?? 1, spec.replicas, true) : undefined;
  return value?.error === undefined ? Math.max(1, value?.value ?? 1) : 1;
};

/**
 * Wanted pods from an ordinal on that are not well and were not when the decision was made, either because the update itself took them. The
 * one that is taken now is well.
 */
function unavailable(roster: Roster, from: number, replicas: number, now: number): number {
  const standing = roster.standing(now);
  return Math.max(0, replicas - from - standing.below(replicas) + standing.below(from));
}

/** Those that the controller itself took down in an earlier decision, so lately that its cache may not show it. */
const takenBefore = ({ seats }: Roster, from: number, replicas: number, now: number): number =>
  [...seats].filter(
    ([ordinal, { taken, well, lastWellAt = now }]) =>
      ordinal >= from && ordinal < replicas && taken && !well && lastWellAt < now && now - lastWellAt <= GRACE_MS,
  ).length;

export const maxUnavailableRespected = ofPodsOfSets(
  {
    name: 'stateful-set/max-unavailable-respected',
    description:
      'A rolling update takes a well pod down only while fewer than maxUnavailable pods are down; without its gate one, and in parallel only those above it count.',
  },
  ({ change: { type }, pod, set, place: { ordinal }, roster, versions, facts: { gates, now } }) => {
    if (
      type !== 'MODIFIED' ||
      !isDying(pod) ||
      roster?.seats.get(ordinal)?.well !== true ||
      !versions.every(({ spec }) => ordinal < spec.replicas)
    )
      return false;
    // Made of the template there is, it is no update's to take: a controller that saw an old list may think it one too many.
    if (revisionOf(pod) === set.status.updateRevision && set.status.observedGeneration === set.metadata.generation) return false;
    const gated = gates['MaxUnavailableStatefulSet'] === true;
    const most = Math.max(...versions.map((version) => maxUnavailable(version, gated)));
    const from = gated || isOrdered(set) ? 0 : ordinal + 1;
    // The controller counts what its cache shows, own deletions too, and does not wait for them: news of the set may be there before those.
    const replicas = Math.min(...versions.map(({ spec }) => spec.replicas));
    const unseen = versions.length > 1 ? takenBefore(roster, from, replicas, now) : 0;
    const down = roster.wellCount >= set.spec.replicas ? 0 : unavailable(roster, from, replicas, now) - unseen;
    return down >= most ? `was taken down while ${down} other pods were down, and only ${most} may be` : true;
  },
);
