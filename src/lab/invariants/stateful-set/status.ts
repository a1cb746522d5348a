/** Invariants of the identities of pods, of the status of StatefulSets, and of their settled state. */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { atRest, asPod, isDying, isReady } from '../forms.ts';
import { checking, type Invariant, type Violation } from '../invariant.ts';
import { identityOf, isWell, partitionOf, placeOf, revisionOf } from './pods.ts';

export const onePodPerOrdinal: Invariant = {
  name: 'stateful-set/at-most-one-pod-per-ordinal',
  description: 'No two unfinished pods of a StatefulSet have the same identity.',
  temporal: 'always',
  kinds: ['Pod'],
  check: checking((exercised) => {
    /** Uids by identity, and the identity of each uid: a pod may be released and keep its name. */
    const holders = new Map<string, string>();
    const identities = new Map<string, string>();
    return {
      describe: () => [holders, identities],
      onChange({ type, object }, { names }): Violation | undefined {
        const pod = asPod(object);
        if (pod === undefined) return undefined;
        const { uid } = pod.metadata;
        const owner = controllerOf(pod);
        const finished = type === 'DELETED' || pod.status.phase === 'Failed' || pod.status.phase === 'Succeeded';
        const identity = finished || owner?.kind !== 'StatefulSet' ? undefined : `${owner.uid}/${identityOf(pod, names)}`;
        const had = identities.get(uid);
        if (had === identity) return undefined;
        if (had !== undefined) {
          identities.delete(uid);
          holders.delete(had);
        }
        if (identity === undefined) return undefined;
        if (holders.has(identity))
          return {
            message: `two pods are ${identityOf(pod, names)} of StatefulSet ${owner?.name ?? ''}, one of them ${pod.metadata.name}`,
            object: pod,
          };
        identities.set(uid, identity);
        holders.set(identity, uid);
        return exercised();
      },
    };
  }),
};

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
