/** How many pods a ReplicaSet may make, and how it comes to rest. */
import { controllerOf } from '../../../apiserver/machinery/index.ts';
import { isOf, type Pod, type ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { atRest } from '../at-rest.ts';
import { type Facts, type Invariant, type Violation, withExercised } from '../invariant.ts';
import { createVersions } from '../versions.ts';

/** The controller whose writes are judged. */
const CONTROLLER = 'replica-set';

/** Pods that have not ended and are not going. */
const isActive = ({ metadata, status: { phase } }: Pod): boolean =>
  metadata.deletionTimestamp === undefined && phase !== 'Succeeded' && phase !== 'Failed';
const podsOf = (uid: string, facts: Facts): readonly Pod[] =>
  facts.by('Pod', 'controllerUid', uid).flatMap((pod) => (isOf('Pod', pod) && isActive(pod) ? [pod] : []));
const isReady = ({ status }: Pod): boolean => status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

/** Active pods of each set, kept up change by change: a large set is not gone through for each pod. */
function createCounts(): { of(uid: string): number; hear(object: Pod | undefined, by: 1 | -1): void; describe(): unknown } {
  const counts = new Map<string, number>();
  return {
    of: (uid) => counts.get(uid) ?? 0,
    describe: () => counts,
    hear(pod, by) {
      const owner = pod !== undefined && isActive(pod) ? controllerOf(pod) : undefined;
      if (owner?.kind !== 'ReplicaSet') return;
      const left = (counts.get(owner.uid) ?? 0) + by;
      if (left === 0) counts.delete(owner.uid);
      else counts.set(owner.uid, left);
    },
  };
}

export const noPodTooMany: Invariant = {
  name: 'replica-set/no-pod-too-many',
  description: 'A ReplicaSet never makes a pod that it does not want: its active pods are at most its replicas right after it made one.',
  temporal: 'always',
  onRequest: 'a list from the past hides pods whose names were drawn, so others are made; what is too many goes again',
  kinds: ['ReplicaSet', 'Pod'],
  check() {
    const versions = createVersions('ReplicaSet');
    const counts = createCounts();
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => [versions.describe(), counts.describe()],
        onChange(change, _facts, controller): Violation | undefined {
          const { type, object, previous } = change;
          versions.hear(change);
          if (!isOf('Pod', object)) return undefined;
          if (isOf('Pod', previous)) counts.hear(previous, -1);
          if (type !== 'DELETED') counts.hear(object, 1);
          const owner = controllerOf(object);
          if (type !== 'ADDED' || controller !== CONTROLLER || owner === undefined) return undefined;
          const known = versions.of(owner.uid);
          const most = Math.max(...known.map(({ spec }) => spec.replicas));
          const count = counts.of(owner.uid);
          if (known.length > 0 && count > most)
            return { message: `ReplicaSet ${owner.name} made pod ${object.metadata.name} and has ${count}, and wants ${most}`, object };
          exercised++;
          return undefined;
        },
      },
    );
  },
};

export const statusTellsTheTruth = atRest(
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
    return lie === undefined ? true : `says ${lie[0]} ${lie[1] ?? 0}, and it is ${lie[2]}`;
  },
);

export const comesToRestComplete = atRest(
  'ReplicaSet',
  {
    name: 'replica-set/comes-to-rest-complete',
    description: 'When everything has settled and nothing is refused, a ReplicaSet has as many active pods as it wants.',
  },
  (set: ReplicaSet, facts) => {
    if (set.status.conditions?.some(({ type }) => type === 'ReplicaFailure') === true) return undefined;
    const count = podsOf(set.metadata.uid, facts).length;
    return count === set.spec.replicas ? true : `has ${count} pods and wants ${set.spec.replicas}, and nothing will happen any more`;
  },
);
