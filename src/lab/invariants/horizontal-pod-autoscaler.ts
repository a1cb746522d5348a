/** Invariants of autoscalers: the replica counts that they set on their targets. */
import { isOf, type HorizontalPodAutoscaler } from '../../apiserver/kinds/index.ts';
import { sameValue, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { type Answer, type Invariant, ofChanges } from './invariant.ts';

const CONTROLLER = 'horizontal-pod-autoscaler';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a specification of this age. */
const GRACE_MS = 30_000;
/** The sync period, milliseconds; a request may take a part of it. */
const PERIOD_MS = 15_000;
/** Source: v1.24 --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWN_WINDOW_MS = 300_000;
/** Source: v1.24 pkg/controller/podautoscaler horizontal.go calculateScaleUpLimit. */
const fastest = (replicas: number): number => Math.max(2 * replicas, 4);

type Spec = HorizontalPodAutoscaler['spec'];

/** A change of a target's replica count by the controller. */
interface Rescale {
  readonly target: ApiObject;
  readonly before: number;
  readonly after: number;
  readonly now: number;
  /** The specifications of the target's only autoscaler on which the decision may be based. */
  readonly specs: readonly Spec[];
}

interface Judge {
  /** Returns the rest of a sentence about a violation by a rescale. */
  rescaled(rescale: Rescale): Answer;
  /** Resets the state of a target: another actor has scaled it, or its autoscaler has a new behavior. */
  forget?(target: string): void;
  describe?(): unknown;
}

const kindsScaled = ['Deployment', 'ReplicaSet', 'StatefulSet'];
const replicasOf = (object: ApiObject | undefined): number | undefined => {
  const spec = object?.['spec'] as { readonly replicas?: unknown } | undefined;
  return typeof spec?.replicas === 'number' ? spec.replicas : undefined;
};

/** The specifications of each autoscaler within the limit of cache staleness. */
function createSpecs() {
  const known = new Map<string, { readonly object: HorizontalPodAutoscaler; readonly from: number }[]>();
  return {
    describe: (): unknown => known,
    observe({ type, object, at }: Change): void {
      if (!isOf('HorizontalPodAutoscaler', object)) return;
      const { uid } = object.metadata;
      if (type === 'DELETED') known.delete(uid);
      else {
        const versions = (known.get(uid) ?? []).filter((_, index, all) => (all[index + 1]?.from ?? at) > at - GRACE_MS);
        if (versions.at(-1)?.object.spec !== object.spec) versions.push({ object, from: at });
        known.set(uid, versions);
      }
    },
    /** Empty where a target has several autoscalers, because they override each other. */
    about({ kind, metadata: { namespace, name } }: ApiObject, now: number): readonly Spec[] {
      const found = [...known.values()].filter((versions) =>
        versions.some(
          ({ object: { metadata, spec } }) =>
            metadata.namespace === namespace && spec.scaleTargetRef.kind === kind && spec.scaleTargetRef.name === name,
        ),
      );
      const [versions = []] = found.length === 1 ? found : [];
      return versions.filter((_, index) => (versions[index + 1]?.from ?? now) > now - GRACE_MS).map(({ object }) => object.spec);
    },
  };
}

const nameOf = ({ kind, metadata: { namespace = '', name } }: ApiObject): string => `${kind} ${namespace}/${name}`;

/** Returns the target of an autoscaler whose behavior has changed. */
function otherRulesFor({ object, previous }: Change): string | undefined {
  if (!isOf('HorizontalPodAutoscaler', object)) return undefined;
  const before = isOf('HorizontalPodAutoscaler', previous) ? previous.spec.behavior : undefined;
  const { kind, name } = object.spec.scaleTargetRef;
  return sameValue(before, object.spec.behavior) ? undefined : `${kind} ${object.metadata.namespace ?? ''}/${name}`;
}

const ofRescales = (name: string, description: string, judging: () => Judge): Invariant =>
  ofChanges(
    name,
    description,
    { kinds: ['HorizontalPodAutoscaler', ...kindsScaled] },
    () => ({ known: createSpecs(), judge: judging() }),
    (change, { now }, { known, judge }, controller) => {
      known.observe(change);
      const other = otherRulesFor(change);
      if (other !== undefined) judge.forget?.(other);
      const { type, object: target, previous } = change;
      const [before, after] = [replicasOf(previous), replicasOf(target)];
      if (type !== 'MODIFIED' || !kindsScaled.includes(change.kind) || before === undefined || after === undefined) return undefined;
      if (before === after) return undefined;
      if (controller !== CONTROLLER) {
        judge.forget?.(nameOf(target));
        return undefined;
      }
      const specs = known.about(target, now);
      const answer = specs.length > 0 && judge.rescaled({ target, before, after, now, specs });
      return typeof answer === 'string' ? `${nameOf(target)} was scaled from ${before} to ${after}, ${answer}` : answer;
    },
    ({ known, judge }) => [known.describe(), judge.describe?.()],
  );

const least = (specs: readonly Spec[]): number => Math.min(...specs.map(({ minReplicas }) => minReplicas));
const most = (specs: readonly Spec[]): number => Math.max(...specs.map(({ maxReplicas }) => maxReplicas));

const withinBounds = ofRescales(
  'horizontal-pod-autoscaler/within-bounds',
  'The replica count that an autoscaler sets on its target is at least minReplicas and at most maxReplicas.',
  () => ({
    rescaled({ after, specs }) {
      if (after < least(specs)) return `and minReplicas is ${least(specs)}`;
      return after > most(specs) ? `and maxReplicas is ${most(specs)}` : true;
    },
  }),
);

const windowOf = ({ behavior }: Spec): number => {
  const seconds = behavior?.scaleDown?.stabilizationWindowSeconds;
  return seconds === undefined ? DOWN_WINDOW_MS : seconds * 1000;
};

const keepsItsWishes = ofRescales(
  'horizontal-pod-autoscaler/keeps-its-wishes',
  'An autoscaler with a scaling behavior of its own does not scale below an earlier recommendation before the scale-down stabilization window is over, unless its maximum is lowered.',
  () => {
    /** Replica counts that the autoscaler requested, by target: it requested at least the counts to which it raised the target. */
    const requested = new Map<string, { readonly replicas: number; readonly at: number }[]>();
    return {
      describe: () => requested,
      forget(target) {
        requested.delete(target);
      },
      rescaled({ target, before, after, now, specs }) {
        // Without a behavior the autoscaler scales up to the maximum of its recent recommendations, whenever they were made.
        if (specs.some(({ behavior }) => behavior === undefined)) return false;
        const key = nameOf(target);
        const reach = Math.min(...specs.map(windowOf)) - PERIOD_MS;
        const recent = (requested.get(key) ?? []).filter(({ at }) => at > now - reach);
        // The controller raises a target to minReplicas without a recommendation from metrics.
        const raised = after > before && after > Math.max(...specs.map(({ minReplicas }) => minReplicas));
        requested.set(key, raised ? [...recent, { replicas: after, at: now }] : recent);
        if (after > before) return false;
        const ceiling = Math.min(...specs.map(({ maxReplicas }) => maxReplicas));
        const undercut = recent.find(({ replicas }) => after < Math.min(replicas, ceiling));
        if (undercut === undefined) return true;
        const ago = Math.round((now - undercut.at) / 1000);
        return `${ago} seconds after it requested ${undercut.replicas}; its window is ${Math.round((reach + PERIOD_MS) / 1000)} s`;
      },
    };
  },
);

const noFasterThanAllowed = ofRescales(
  'horizontal-pod-autoscaler/no-faster-than-allowed',
  'An autoscaler without a scaling behavior of its own at most doubles the replicas in one step, or scales up to four.',
  () => ({
    rescaled({ before, after, specs }) {
      if (after <= before || specs.some(({ behavior }) => behavior !== undefined)) return false;
      if (after <= Math.max(...specs.map(({ minReplicas }) => minReplicas))) return false;
      return after > fastest(before) ? `and no more than ${fastest(before)} are allowed at a time` : true;
    },
  }),
);

export const horizontalPodAutoscalerInvariants: readonly Invariant[] = [withinBounds, keepsItsWishes, noFasterThanAllowed];
