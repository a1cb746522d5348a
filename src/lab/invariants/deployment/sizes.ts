/** Invariants of the sizes that the controller sets on ReplicaSets. */
import { isOf, type Deployment, type ReplicaSet } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { type Facts, type Invariant, type Violation, checking } from '../invariant.ts';
import { createVersions } from '../versions.ts';
import { availableIn, bounds, CONTROLLER, createSets, isRolling, managerOf, sameTemplate, type Seen } from './reading.ts';

/** A change of a ReplicaSet's size by the controller. */
interface Resize {
  readonly set: ReplicaSet;
  readonly before: number;
  readonly after: number;
  /** The Deployment's replicas have changed, so every ReplicaSet is scaled proportionally. */
  readonly rescales: boolean;
  /** The previous state of this ReplicaSet, unless it is new. */
  readonly own: Seen | undefined;
  readonly others: readonly Seen[];
  /** The versions on which the decision may be based. */
  readonly versions: readonly Deployment[];
}

/** `judge` returns the rest of a sentence about a resize, or whether the property was exercised. */
const ofSizes = (about: Pick<Invariant, 'name' | 'description'>, judge: (resize: Resize) => string | boolean): Invariant => ({
  ...about,
  temporal: 'always',
  kinds: ['Deployment', 'ReplicaSet'],
  check: checking((exercised) => {
    const versions = createVersions('Deployment');
    const sets = createSets();
    const resizeOf = ({ type, object: set, previous }: Change, { names }: Facts): Resize | undefined => {
      const manager = isOf('ReplicaSet', set) && type !== 'DELETED' ? managerOf(set) : undefined;
      if (manager === undefined || !isOf('ReplicaSet', set)) return undefined;
      const all = sets.of(manager);
      const own = all.get(set.metadata.uid);
      const before = isOf('ReplicaSet', previous) ? previous.spec.replicas : 0;
      const after = set.spec.replicas;
      const known = versions.of(manager);
      if (before === after || known.length === 0) return undefined;
      const key = names.key('deployment', 'desired-replicas');
      const rescales = type === 'MODIFIED' && previous?.metadata.annotations?.[key] !== set.metadata.annotations?.[key];
      return { set, before, after, rescales, own, others: [...all.values()].filter((each) => each !== own), versions: known };
    };
    return {
      describe: () => [versions.describe(), sets.describe()],
      onChange(change, facts, controller): Violation | undefined {
        versions.observe(change);
        const resize = controller === CONTROLLER ? resizeOf(change, facts) : undefined;
        const answer = resize !== undefined && judge(resize);
        sets.observe(change, facts.now, controller);
        if (answer === true) exercised();
        const { namespace = '', name } = change.object.metadata;
        return typeof answer === 'string' ? { message: `ReplicaSet ${namespace}/${name} ${answer}`, object: change.object } : undefined;
      },
    };
  }),
});

const anyByHand = ({ own, others }: Resize): boolean => own?.byHand === true || others.some(({ byHand }) => byHand);

export const surgeRespected = ofSizes(
  {
    name: 'deployment/surge-respected',
    description:
      'A ReplicaSet is scaled up only as far as all ReplicaSets of its Deployment together have no more replicas than replicas and maxSurge allow.',
  },
  (resize) => {
    const { before, after, others, versions } = resize;
    if (after < before || anyByHand(resize)) return false;
    const total = after + others.reduce((sum, { set }) => sum + set.spec.replicas, 0);
    const most = Math.max(...versions.map((version) => bounds(version).most));
    return total > most ? `was scaled to ${after} pods, which makes ${total} in all, and at most ${most} are allowed` : true;
  },
);

export const availabilityRespected = ofSizes(
  {
    name: 'deployment/availability-respected',
    description: 'A rolling update deletes available pods only while more are available than replicas minus maxUnavailable.',
  },
  (resize) => {
    const { before, after, rescales, own, others, versions } = resize;
    if (after > before || own === undefined || rescales || anyByHand(resize) || !versions.every(isRolling)) return false;
    const rest = others.reduce((sum, each) => sum + availableIn(each, each.set.spec.replicas), 0);
    const were = availableIn(own, before);
    const are = availableIn(own, after);
    if (are === were) return false;
    const least = Math.min(...versions.map((version) => bounds(version).least));
    return rest + are < least
      ? `went from ${before} to ${after}, which leaves ${rest + are} available pods, and at least ${least} are required`
      : true;
  },
);

export const oldSetsNeverGrow = ofSizes(
  {
    name: 'deployment/old-sets-never-grow',
    description: 'A ReplicaSet of an earlier template is never scaled up, unless the replicas of the Deployment have changed.',
  },
  ({ set, before, after, rescales, own, versions }) => {
    if (own === undefined || own.byHand || rescales || versions.some(({ spec }) => sameTemplate(spec.template, set.spec.template)))
      return false;
    return after > before ? `is of an earlier template and went from ${before} to ${after}` : true;
  },
);
