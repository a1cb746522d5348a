/** Invariants of the status of Deployments, and of their settled state. */
import { type Deployment, isOf, type ReplicaSet } from '../../../apiserver/kinds/index.ts';
import { atRest, lieIn, observedIn } from '../forms.ts';
import type { Facts } from '../invariant.ts';
import { sameTemplate } from './sizes.ts';

const setsOf = ({ metadata }: Deployment, facts: Facts): readonly ReplicaSet[] =>
  facts.by('ReplicaSet', 'controllerUid', metadata.uid).flatMap((set) => (isOf('ReplicaSet', set) ? [set] : []));
const newestOf = ({ spec }: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  sets
    .filter((set) => sameTemplate(set.spec.template, spec.template))
    .toSorted(
      (a, b) => Number(a.metadata.creationTimestamp > b.metadata.creationTimestamp) || Number(a.metadata.name > b.metadata.name),
    )[0];
const sum = (sets: readonly ReplicaSet[], count: (status: ReplicaSet['status']) => number | undefined): number =>
  sets.reduce((total, { status }) => total + (count(status) ?? 0), 0);

export const statusTellsTheTruth = atRest(
  'Deployment',
  {
    name: 'deployment/status-tells-the-truth',
    description:
      "When everything has settled, a Deployment's status has observed its newest generation, and its counts agree with those of its ReplicaSets.",
  },
  (deployment, facts) => {
    const { status, metadata } = deployment;
    const sets = setsOf(deployment, facts);
    return lieIn([
      ['observedGeneration', status.observedGeneration, metadata.generation ?? 0],
      ['replicas', status.replicas, sum(sets, ({ replicas }) => replicas)],
      ['updatedReplicas', status.updatedReplicas, newestOf(deployment, sets)?.status.replicas ?? 0],
      ['readyReplicas', status.readyReplicas, sum(sets, ({ readyReplicas }) => readyReplicas)],
      ['availableReplicas', status.availableReplicas, sum(sets, ({ availableReplicas }) => availableReplicas)],
    ]);
  },
);

export const oneTemplateWhenComplete = atRest(
  'Deployment',
  {
    name: 'deployment/one-template-when-complete',
    description:
      'When everything has settled and a Deployment reports that its rollout is complete, only ReplicaSets of its present template have pods.',
  },
  (deployment, facts) => {
    const { status, metadata, spec } = deployment;
    const isOver = status.conditions?.some(({ type, reason }) => type === 'Progressing' && reason === 'NewReplicaSetAvailable') === true;
    if (!isOver || observedIn(deployment) !== metadata.generation || spec.paused === true) return undefined;
    const stale = setsOf(deployment, facts).find(
      (set) => !sameTemplate(set.spec.template, spec.template) && (set.spec.replicas > 0 || set.status.replicas > 0),
    );
    return stale === undefined ? true : `is complete, and ${stale.metadata.name} of an earlier template has ${stale.status.replicas} pods`;
  },
);

export const comesToRestComplete = atRest(
  'Deployment',
  {
    name: 'deployment/comes-to-rest-complete',
    description:
      'When everything has settled and each ReplicaSet has all its pods available, a Deployment has its desired pods, of its present template.',
  },
  (deployment, facts) => {
    const { spec } = deployment;
    const sets = setsOf(deployment, facts);
    if (spec.paused === true || !sets.every(isWell)) return undefined;
    const newest = newestOf(deployment, sets);
    if (newest === undefined) return 'has no ReplicaSet of its template, and nothing will happen any more';
    const left = sets.find((set) => set !== newest && set.spec.replicas > 0);
    if (left !== undefined) return `still wants ${left.spec.replicas} pods of ${left.metadata.name}, and nothing will happen any more`;
    return newest.spec.replicas === spec.replicas
      ? true
      : `wants ${spec.replicas} pods, its ReplicaSet ${newest.spec.replicas}, and nothing will happen any more`;
  },
);

const isWell = ({ spec, status }: ReplicaSet): boolean =>
  (status.availableReplicas ?? 0) === spec.replicas && status.replicas === spec.replicas;
