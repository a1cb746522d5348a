/** Invariants of the number of pods that a ReplicaSet creates, and of its settled state. */
import type { Pod, ReplicaSet } from '../../apiserver/kinds/index.ts';
import { controllerOf } from '../../apiserver/machinery/index.ts';
import { bump } from '../../schema/values/index.ts';
import { asPod, atRest, controllerUid, createVersions, observedGenerationIsTrue, isActive, isReady, lieIn, podsOf } from './forms.ts';
import { type Invariant, ofChanges } from './invariant.ts';

const CONTROLLER = 'replica-set';

function count(counts: Map<string, number>, pod: Pod | undefined, by: 1 | -1): void {
  const owner = pod !== undefined && isActive(pod) ? controllerUid('ReplicaSet', pod) : undefined;
  if (owner !== undefined) bump(counts, owner, by);
}

const noPodTooMany = ofChanges(
  'replica-set/no-pod-too-many',
  'A ReplicaSet never creates a surplus pod: its active pods are at most its replicas right after it created one.',
  {
    onRequest: 'a stale list does not contain recent pods with generated names, so others are created; surplus pods are deleted again',
    kinds: ['ReplicaSet', 'Pod'],
  },
  /** `counts`: the active pods of each set, updated at each change, so that a large set is not counted for each pod. */
  () => ({ versions: createVersions('ReplicaSet'), counts: new Map<string, number>() }),
  (change, _facts, { versions, counts }, controller) => {
    versions.observe(change);
    const pod = asPod(change.object);
    if (pod === undefined) return undefined;
    count(counts, asPod(change.previous), -1);
    if (change.type !== 'DELETED') count(counts, pod, 1);
    const owner = controllerOf(pod);
    if (change.type !== 'ADDED' || controller !== CONTROLLER || owner === undefined) return undefined;
    const known = versions.of(owner.uid);
    const most = Math.max(...known.map(({ spec }) => spec.replicas));
    const has = counts.get(owner.uid) ?? 0;
    if (known.length === 0 || has <= most) return true;
    return `ReplicaSet ${owner.name} created pod ${pod.metadata.name} and has ${has}, and wants ${most}`;
  },
  ({ versions, counts }) => [versions.describe(), counts],
);

const statusTellsTheTruth = atRest(
  'ReplicaSet',
  'replica-set/status-tells-the-truth',
  "When everything has settled, a ReplicaSet's status has observed its newest generation and counts the pods there are.",
  (set, facts) => {
    const { status, metadata } = set;
    const pods = podsOf(set, facts).filter(isActive);
    return lieIn([
      ['observedGeneration', status.observedGeneration, metadata.generation ?? 0],
      ['replicas', status.replicas, pods.length],
      ['readyReplicas', status.readyReplicas, pods.filter(isReady).length],
    ]);
  },
);

const comesToRestComplete = atRest(
  'ReplicaSet',
  'replica-set/comes-to-rest-complete',
  'When everything has settled and nothing is refused, a ReplicaSet has its desired number of active pods.',
  (set: ReplicaSet, facts) => {
    if (set.status.conditions?.some(({ type }) => type === 'ReplicaFailure') === true) return undefined;
    const has = podsOf(set, facts).filter(isActive).length;
    return has === set.spec.replicas || `has ${has} pods and wants ${set.spec.replicas}, and nothing will happen any more`;
  },
);

export const replicaSetInvariants: readonly Invariant[] = [
  noPodTooMany,
  observedGenerationIsTrue('ReplicaSet', 'replica-set'),
  statusTellsTheTruth,
  comesToRestComplete,
];
