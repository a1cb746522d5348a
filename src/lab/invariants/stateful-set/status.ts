/** Invariants of the status of StatefulSets. */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { atRest } from '../at-rest.ts';
import type { Invariant } from '../invariant.ts';
import { asPod, isDying, isReady, isWell, partitionOf, placeOf, revisionOf } from './reading.ts';

/** Evaluates a property of each set with its pods. */
const withPods = (
  about: Pick<Invariant, 'name' | 'description'>,
  judge: (set: StatefulSet, pods: readonly Pod[]) => string | undefined | true,
): Invariant =>
  atRest('StatefulSet', about, (set, facts) =>
    judge(
      set,
      facts.by('Pod', 'controllerUid', set.metadata.uid).flatMap((pod) => asPod(pod) ?? []),
    ),
  );

export const statusTellsTheTruth = withPods(
  {
    name: 'stateful-set/status-tells-the-truth',
    description: "When everything has settled, a StatefulSet's status has observed its newest generation and counts the pods there are.",
  },
  (set, pods) => {
    const {
      status,
      metadata: { generation = 0 },
    } = set;
    const ofRevision = (revision: string | undefined): number => pods.filter((pod) => !isDying(pod) && revisionOf(pod) === revision).length;
    const truth: readonly (readonly [string, number, number])[] = [
      ['observedGeneration', status.observedGeneration ?? 0, generation],
      ['replicas', status.replicas, pods.length],
      ['readyReplicas', status.readyReplicas ?? 0, pods.filter(isReady).length],
      ['updatedReplicas', status.updatedReplicas ?? 0, ofRevision(status.updateRevision)],
      ['currentReplicas', status.currentReplicas ?? 0, ofRevision(status.currentRevision)],
    ];
    const lie = truth.find(([, said, is]) => said !== is);
    return lie === undefined ? true : `has ${lie[0]} ${lie[1]}, and it is ${lie[2]}`;
  },
);

export const comesToRestComplete = withPods(
  {
    name: 'stateful-set/comes-to-rest-complete',
    description:
      'When everything has settled and every pod is ready, a StatefulSet has its desired pods and no others, of the revisions that its update strategy requires.',
  },
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
    return stale === undefined
      ? true
      : `has pod ${stale.metadata.name} of ${revisionOf(stale)} where ${set.status.updateRevision ?? ''} is wanted, and nothing will happen any more`;
  },
);
