/** What a set's status may say. */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { Facts, Invariant, Violation } from '../invariant.ts';
import { asPod, asSet, isDying, isReady, isWell, nameOf, partitionOf, placeOf, revisionOf } from './reading.ts';

export const observedGenerationIsTrue: Invariant = {
  name: 'stateful-set/observed-generation-is-true',
  description: "A StatefulSet's status never claims to have observed a generation that does not exist yet, nor goes back to an older one.",
  temporal: 'always',
  kinds: ['StatefulSet'],
  check() {
    let witnesses = 0;
    return {
      get witnesses() {
        return witnesses;
      },
      onChange({ type, object, previous }): Violation | undefined {
        const set = asSet(object);
        if (type !== 'MODIFIED' || set === undefined) return undefined;
        const { observedGeneration = 0 } = set.status;
        const { generation = 0 } = set.metadata;
        if (observedGeneration > generation)
          return {
            message: `StatefulSet ${nameOf(set)} says it has observed generation ${observedGeneration}, of ${generation}`,
            object: set,
          };
        const before = asSet(previous)?.status.observedGeneration ?? 0;
        if (observedGeneration < before)
          return {
            message: `StatefulSet ${nameOf(set)} had observed generation ${before} and says ${observedGeneration} now`,
            object: set,
          };
        witnesses++;
        return undefined;
      },
    };
  },
};

/** Asked of each set that stays, when everything has settled; undefined: nothing was at stake. */
const atRest = (
  about: Pick<Invariant, 'name' | 'description'>,
  judge: (set: StatefulSet, pods: readonly Pod[], facts: Facts) => string | undefined | true,
): Invariant => ({
  ...about,
  temporal: 'stable',
  kinds: ['StatefulSet'],
  check() {
    let witnesses = 0;
    return {
      get witnesses() {
        return witnesses;
      },
      onEnd(facts, settled): Violation | undefined {
        if (!settled) return undefined;
        for (const object of facts.list('StatefulSet')) {
          const set = asSet(object);
          if (set === undefined || isDying(set)) continue;
          const pods = facts.by('Pod', 'controllerUid', set.metadata.uid).flatMap((pod) => asPod(pod) ?? []);
          const answer = judge(set, pods, facts);
          if (typeof answer === 'string') return { message: `StatefulSet ${nameOf(set)} ${answer}`, object: set };
          if (answer === true) witnesses++;
        }
        return undefined;
      },
    };
  },
});

export const statusTellsTheTruth = atRest(
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
    return lie === undefined ? true : `says ${lie[0]} ${lie[1]}, and it is ${lie[2]}`;
  },
);

export const comesToRestComplete = atRest(
  {
    name: 'stateful-set/comes-to-rest-complete',
    description:
      'When everything has settled and every pod is well, a StatefulSet has the pods it wants and no others, of the revision they are to have.',
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
