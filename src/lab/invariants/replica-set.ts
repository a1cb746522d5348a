/** Invariants of the number of pods that a ReplicaSet creates, and of its settled state. */
import { isOf, type Pod, type ReplicaSet } from '../../apiserver/kinds/index.ts';
import { controllerOf } from '../../apiserver/machinery/index.ts';
import { atRest, createVersions, observedGenerationIsTrue, isReady } from './forms.ts';
import { checking, type Facts, type Invariant, type Violation } from './invariant.ts';

/** The controller whose writes are checked. */
const CONTROLLER = 'replica-set';

/** Whether a pod is neither finished nor being deleted. */
const isActive = ({ metadata, status: { phase } }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';
const podsOf = (uid: string, facts: Facts): readonly Pod[] =>
  facts.by('Pod', 'controllerUid', uid).flatMap((pod) => (isOf('Pod', pod) && isActive(pod) ? [pod] : []));

/** The number of active pods of each set, updated at each change, so that a large set is not counted for each pod. */
function createCounts(): { of(uid: string): number; observe(object: Pod | undefined, by: 1 | -1): void; describe(): unknown } {
  const counts = new Map<string, number>();
  return {
    of: (uid) => counts.get(uid) ?? 0,
    describe: () => counts,
    observe(pod, by) {
      const owner = pod !== undefined && isActive(pod) ? controllerOf(pod) : undefined;
      if (owner?.kind !== 'ReplicaSet') return;
      const left = (counts.get(owner.uid) ?? 0) + by;
      if (left === 0) counts.delete(owner.uid);
      else counts.set(owner.uid, left);
    },
  };
}

const noPodTooMany: Invariant = {
  name: 'replica-set/no-pod-too-many',
  description: 'A ReplicaSet never creates a surplus pod: its active pods are at most its replicas right after it created one.',
  temporal: 'always',
  onRequest: 'a stale list does not contain recent pods with generated names, so others are created; surplus pods are deleted again',
  kinds: ['ReplicaSet', 'Pod'],
  check: checking((exercised) => {
    const versions = createVersions('ReplicaSet');
    const counts = createCounts();
    return {
      describe: () => [versions.describe(), counts.describe()],
      onChange(change, _facts, controller): Violation | undefined {
        const { type, object, previous } = change;
        versions.observe(change);
        if (!isOf('Pod', object)) return undefined;
        if (isOf('Pod', previous)) counts.observe(previous, -1);
        if (type !== 'DELETED') counts.observe(object, 1);
        const owner = controllerOf(object);
        if (type !== 'ADDED' || controller !== CONTROLLER || owner === undefined) return undefined;
        const known = versions.of(owner.uid);
        const most = Math.max(...known.map(({ spec }) => spec.replicas));
        const count = counts.of(owner.uid);
        if (known.length > 0 && count > most)
          return { message: `ReplicaSet ${owner.name} created pod ${object.metadata.name} and has ${count}, and wants ${most}`, object };
        return exercised();
      },
    };
  }),
};

const statusTellsTheTruth = atRest(
  'ReplicaSet',
  {
    name: 'replica-set/status-tells-the-truth',
    description: "When everything has settled, a ReplicaSet's status has observed its newest generation and counts the pods there are.",
  },
  (set, facts) => {
    const { status, metadata } = set;
    const pods = podsOf(metadata.uid, facts);
    const truth: readonly (readonly [string, number | undefined, number])[] = [
      ['observedGeneration', status.observedGeneration, metadata.generation ?? 0],
      ['replicas', status.replicas, pods.length],
      ['readyReplicas', status.readyReplicas, pods.filter(isReady).length],
    ];
    const lie = truth.find(([, said = 0, is]) => said !== is);
    return lie === undefined ? true : `has ${lie[0]} ${lie[1] ?? 0}, and it is ${lie[2]}`;
  },
);

const comesToRestComplete = atRest(
  'ReplicaSet',
  {
    name: 'replica-set/comes-to-rest-complete',
    description: 'When everything has settled and nothing is refused, a ReplicaSet has its desired number of active pods.',
  },
  (set: ReplicaSet, facts) => {
    if (set.status.conditions?.some(({ type }) => type === 'ReplicaFailure') === true) return undefined;
    const count = podsOf(set.metadata.uid, facts).length;
    return count === set.spec.replicas ? true : `has ${count} pods and wants ${set.spec.replicas}, and nothing will happen any more`;
  },
);

export const replicaSetInvariants: readonly Invariant[] = [
  noPodTooMany,
  observedGenerationIsTrue('ReplicaSet', 'replica-set'),
  statusTellsTheTruth,
  comesToRestComplete,
];
