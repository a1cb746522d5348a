/** Invariants of the identities of pods, of the status of StatefulSets, and of their settled state. */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { atRest, asPod, isDying, isOver, isReady, lieIn, podsOf } from '../forms.ts';
import { type Answer, type Invariant, ofChanges } from '../invariant.ts';
import { identityOf, isWell, partitionOf, placeOf, revisionOf } from './pods.ts';

export const onePodPerOrdinal = ofChanges(
  {
    name: 'stateful-set/at-most-one-pod-per-ordinal',
    description: 'No two unfinished pods of a StatefulSet have the same identity.',
    kinds: ['Pod'],
  },
  /** Uids by identity, and the identity of each uid: a pod may be released and keep its name. */
  () => ({ holders: new Map<string, string>(), identities: new Map<string, string>() }),
  ({ type, object }, { names }, { holders, identities }) => {
    const pod = asPod(object);
    if (pod === undefined) return undefined;
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

const withPods = (
  properties: Pick<Invariant, 'name' | 'description'>,
  judge: (set: StatefulSet, pods: readonly Pod[]) => Answer,
): Invariant => atRest('StatefulSet', properties, (set, facts) => judge(set, podsOf(set, facts)));

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
    return lieIn([
      ['observedGeneration', status.observedGeneration, generation],
      ['replicas', status.replicas, pods.length],
      ['readyReplicas', status.readyReplicas, pods.filter(isReady).length],
      ['updatedReplicas', status.updatedReplicas, ofRevision(status.updateRevision)],
      ['currentReplicas', status.currentReplicas, ofRevision(status.currentRevision)],
    ]);
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
    if (stale === undefined) return true;
    return `has pod ${stale.metadata.name} of ${revisionOf(stale)} where ${set.status.updateRevision ?? ''} is wanted, and nothing will happen any more`;
  },
);
