/**
 * Invariants of Deployments: the sizes of their ReplicaSets, their status, and their settled state. Edits of ReplicaSets by users, failing
 * pods and failing nodes are not violations: only the controller's writes are checked, against the states that it may have observed.
 */
import { type Deployment, isOf, type ReplicaSet } from '../../apiserver/kinds/index.ts';
import { sameValue } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { controllerUid, createVersions, nameOf, atRest, lieIn, observedIn, observedGenerationIsTrue } from './forms.ts';
import { type Answer, type Facts, type Invariant, ofChanges } from './invariant.ts';
import { compareText, scaledIntOrPercent } from '../../schema/values/index.ts';

const CONTROLLER = 'deployment';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a count of this age. */
const GRACE_MS = 30_000;
const HASH_LABEL = 'pod-template-hash';

type Template = Deployment['spec']['template'];

const sameTemplate = (a: Template, b: Template): boolean =>
  a === b || (sameValue(a.spec, b.spec) && sameValue(withoutHash(a.metadata), withoutHash(b.metadata)));

function withoutHash({ labels, ...rest }: Template['metadata']): object {
  const { [HASH_LABEL]: _, ...others } = labels ?? {};
  return { ...rest, labels: others };
}

const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/** Surge rounds up and unavailability rounds down; where both are 0, one pod may be unavailable. */
function bounds(deployment: Deployment): { readonly most: number; readonly least: number } {
  const { replicas, strategy } = deployment.spec;
  if (!isRolling(deployment)) return { most: replicas, least: 0 };
  const { maxSurge = 0, maxUnavailable = 0 } = strategy.rollingUpdate ?? {};
  const surge = scaledIntOrPercent(maxSurge, replicas, true).value ?? 0;
  const down = scaledIntOrPercent(maxUnavailable, replicas, false).value ?? 0;
  return { most: replicas + surge, least: Math.max(0, replicas - (surge === 0 && down === 0 ? 1 : down)) };
}

/** The last state of a ReplicaSet, with its counts of available pods within the limit of cache staleness. */
interface Seen {
  readonly set: ReplicaSet;
  /** Another actor has scaled it since the controller did. */
  readonly byHand: boolean;
  readonly available: readonly (readonly [at: number, count: number])[];
}

/** Returns the highest count of available pods that the controller may have observed, limited by the size. */
const availableIn = ({ available }: Seen, size: number): number => Math.min(size, Math.max(0, ...available.map(([, count]) => count)));

const managerOf = (set: ReplicaSet): string | undefined => controllerUid('Deployment', set);

/** The ReplicaSets of each Deployment by uid, updated at each change. */
type Sets = Map<string, Map<string, Seen>>;

function observe(known: Sets, { type, object, previous }: Change, now: number, controller: string | undefined): void {
  if (!isOf('ReplicaSet', object)) return;
  const manager = managerOf(object);
  const before = isOf('ReplicaSet', previous) ? managerOf(previous) : undefined;
  const { uid } = object.metadata;
  const old = known.get(manager ?? '')?.get(uid);
  if (before !== undefined && before !== manager) known.get(before)?.delete(uid);
  if (manager === undefined) return;
  const sets = known.get(manager) ?? new Map<string, Seen>();
  known.set(manager, sets);
  if (type === 'DELETED') sets.delete(uid);
  else sets.set(uid, seen(object, old, now, controller));
  if (sets.size === 0) known.delete(manager);
}

function seen(set: ReplicaSet, old: Seen | undefined, now: number, controller: string | undefined): Seen {
  const resized = old === undefined || old.set.spec.replicas !== set.spec.replicas;
  const byHand = resized ? controller !== CONTROLLER : old.byHand;
  const count = set.status.availableReplicas ?? 0;
  if (old !== undefined && old.available.at(-1)?.[1] === count) return { set, byHand, available: old.available };
  // The last count before the limit of staleness is kept, because it was valid at that time.
  const kept = (old?.available ?? []).filter((_, at, all) => (all[at + 1]?.[0] ?? now) >= now - GRACE_MS);
  return { set, byHand, available: [...kept, [now, count]] };
}

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

interface Known {
  readonly versions: ReturnType<typeof createVersions<'Deployment'>>;
  readonly sets: Sets;
}

function resizeOf({ type, object: set, previous }: Change, { names }: Facts, { versions, sets }: Known): Resize | undefined {
  const manager = isOf('ReplicaSet', set) && type !== 'DELETED' ? managerOf(set) : undefined;
  if (manager === undefined || !isOf('ReplicaSet', set)) return undefined;
  const all = sets.get(manager);
  const own = all?.get(set.metadata.uid);
  const before = isOf('ReplicaSet', previous) ? previous.spec.replicas : 0;
  const after = set.spec.replicas;
  const known = versions.of(manager);
  if (before === after || known.length === 0) return undefined;
  const key = names.key('deployment', 'desired-replicas');
  const rescales = type === 'MODIFIED' && previous?.metadata.annotations?.[key] !== set.metadata.annotations?.[key];
  return { set, before, after, rescales, own, others: [...(all?.values() ?? [])].filter((each) => each !== own), versions: known };
}

/** `judge` returns the rest of a sentence about a resize. */
const ofSizes = (name: string, description: string, judge: (resize: Resize) => Answer): Invariant =>
  ofChanges(
    name,
    description,
    { kinds: ['Deployment', 'ReplicaSet'], about: (set) => `ReplicaSet ${nameOf(set)} ` },
    (): Known => ({ versions: createVersions('Deployment'), sets: new Map() }),
    (change, facts, known, controller) => {
      known.versions.observe(change);
      const resize = controller === CONTROLLER ? resizeOf(change, facts, known) : undefined;
      const answer = resize !== undefined && judge(resize);
      observe(known.sets, change, facts.now, controller);
      return answer;
    },
    ({ versions, sets }) => [versions.describe(), sets],
  );

const anyByHand = ({ own, others }: Resize): boolean => own?.byHand === true || others.some(({ byHand }) => byHand);

const surgeRespected = ofSizes(
  'deployment/surge-respected',
  'A ReplicaSet is scaled up only as far as all ReplicaSets of its Deployment together have no more replicas than replicas and maxSurge allow.',
  (resize) => {
    const { before, after, others, versions } = resize;
    if (after < before || anyByHand(resize)) return false;
    const total = after + others.reduce((sum, { set }) => sum + set.spec.replicas, 0);
    const most = Math.max(...versions.map((version) => bounds(version).most));
    return total <= most || `was scaled to ${after} pods, which makes ${total} in all, and at most ${most} are allowed`;
  },
);

const availabilityRespected = ofSizes(
  'deployment/availability-respected',
  'A rolling update deletes available pods only while more are available than replicas minus maxUnavailable.',
  (resize) => {
    const { before, after, rescales, own, others, versions } = resize;
    if (after > before || own === undefined || rescales || anyByHand(resize) || !versions.every(isRolling)) return false;
    const rest = others.reduce((sum, each) => sum + availableIn(each, each.set.spec.replicas), 0);
    const were = availableIn(own, before);
    const are = availableIn(own, after);
    if (are === were) return false;
    const least = Math.min(...versions.map((version) => bounds(version).least));
    if (rest + are >= least) return true;
    return `went from ${before} to ${after}, which leaves ${rest + are} available pods, and at least ${least} are required`;
  },
);

const oldSetsNeverGrow = ofSizes(
  'deployment/old-sets-never-grow',
  'A ReplicaSet of an earlier template is never scaled up, unless the replicas of the Deployment have changed.',
  ({ set, before, after, rescales, own, versions }) => {
    if (own === undefined || own.byHand || rescales || versions.some(({ spec }) => sameTemplate(spec.template, set.spec.template)))
      return false;
    return after <= before || `is of an earlier template and went from ${before} to ${after}`;
  },
);

const setsOf = ({ metadata }: Deployment, facts: Facts): readonly ReplicaSet[] => facts.by('ReplicaSet', 'controllerUid', metadata.uid);
const newestOf = ({ spec }: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  sets
    .filter((set) => sameTemplate(set.spec.template, spec.template))
    .toSorted(
      (a, b) => compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name),
    )[0];
const sum = (sets: readonly ReplicaSet[], count: (status: ReplicaSet['status']) => number | undefined): number =>
  sets.reduce((total, { status }) => total + (count(status) ?? 0), 0);

const statusTellsTheTruth = atRest(
  'Deployment',
  'deployment/status-tells-the-truth',
  "When everything has settled, a Deployment's status has observed its newest generation, and its counts agree with those of its ReplicaSets.",
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

const oneTemplateWhenComplete = atRest(
  'Deployment',
  'deployment/one-template-when-complete',
  'When everything has settled and a Deployment reports that its rollout is complete, only ReplicaSets of its present template have pods.',
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

const comesToRestComplete = atRest(
  'Deployment',
  'deployment/comes-to-rest-complete',
  'When everything has settled and each ReplicaSet has all its pods available, a Deployment has its desired pods, of its present template.',
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

export const deploymentInvariants: readonly Invariant[] = [
  surgeRespected,
  availabilityRespected,
  oldSetsNeverGrow,
  oneTemplateWhenComplete,
  observedGenerationIsTrue('Deployment', 'deployment'),
  statusTellsTheTruth,
  comesToRestComplete,
];
