/** What must hold of autoscalers: the sizes that they give to their targets. */
import { isOf, type HorizontalPodAutoscaler } from '../../apiserver/kinds/index.ts';
import { sameValue, type ApiObject } from '../../apiserver/machinery/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { type Facts, type Invariant, type Violation, withExercised } from './invariant.ts';

const CONTROLLER = 'horizontal-pod-autoscaler';
/** A cache may lag for so long: what an autoscaler said within that time may be what a decision rests on. */
const GRACE_MS = 30_000;
/** Between two looks; a request may be on its way for a part of it. */
const PERIOD_MS = 15_000;
/** Source: v1.24 --horizontal-pod-autoscaler-downscale-stabilization. */
const DOWN_WINDOW_MS = 300_000;
/** Source: v1.24 pkg/controller/podautoscaler horizontal.go calculateScaleUpLimit. */
const fastest = (replicas: number): number => Math.max(2 * replicas, 4);

type Spec = HorizontalPodAutoscaler['spec'];

/** The controller gives a target another size. */
interface Rescale {
  readonly target: ApiObject;
  readonly before: number;
  readonly after: number;
  readonly now: number;
  /** Of the one autoscaler that it has: those that the decision may rest on. */
  readonly specs: readonly Spec[];
}

/** Judges a rescale, as the rest of a sentence about its target, or says whether anything was exercised. */
interface Judge {
  rescaled(rescale: Rescale): string | boolean;
  /** Somebody else gave the target its size, or its autoscaler has other rules now. */
  forget?(target: string): void;
  /** What it remembers. */
  describe?(): unknown;
}

const kindsScaled = ['Deployment', 'ReplicaSet', 'StatefulSet'];
const replicasOf = (object: ApiObject | undefined): number | undefined => {
  const spec = object?.['spec'] as { readonly replicas?: unknown } | undefined;
  return typeof spec?.replicas === 'number' ? spec.replicas : undefined;
};

/** What each autoscaler has said within the time that a cache may lag. */
function createSpecs() {
  const known = new Map<string, { readonly object: HorizontalPodAutoscaler; readonly from: number }[]>();
  return {
    describe: (): unknown => known,
    hear({ type, object, at }: Change): void {
      if (!isOf('HorizontalPodAutoscaler', object)) return;
      const { uid } = object.metadata;
      if (type === 'DELETED') known.delete(uid);
      else {
        const versions = (known.get(uid) ?? []).filter((_, index, all) => (all[index + 1]?.from ?? at) > at - GRACE_MS);
        if (versions.at(-1)?.object.spec !== object.spec) versions.push({ object, from: at });
        known.set(uid, versions);
      }
    },
    /** None where a target has several autoscalers, which pull at it each in its way. */
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

/** Whose autoscaler has been given other rules. */
function otherRulesFor({ object, previous }: Change): string | undefined {
  if (!isOf('HorizontalPodAutoscaler', object)) return undefined;
  const before = isOf('HorizontalPodAutoscaler', previous) ? previous.spec.behavior : undefined;
  const { kind, name } = object.spec.scaleTargetRef;
  return sameValue(before, object.spec.behavior) ? undefined : `${kind} ${object.metadata.namespace ?? ''}/${name}`;
}

const ofRescales = (about: Pick<Invariant, 'name' | 'description'>, judging: () => Judge): Invariant => ({
  ...about,
  temporal: 'always',
  kinds: ['HorizontalPodAutoscaler', ...kindsScaled],
  check() {
    const specs = createSpecs();
    const judge = judging();
    let exercised = 0;
    return withExercised(
      { exercised: () => exercised },
      {
        describe: () => [specs.describe(), judge.describe?.()],
        onChange(change: Change, { now }: Facts, controller): Violation | undefined {
          specs.hear(change);
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
          const versions = specs.about(target, now);
          const answer = versions.length > 0 && judge.rescaled({ target, before, after, now, specs: versions });
          if (answer === true) exercised++;
          return typeof answer === 'string'
            ? { message: `${nameOf(target)} was scaled from ${before} to ${after}, ${answer}`, object: target }
            : undefined;
        },
      },
    );
  },
});

const least = (specs: readonly Spec[]): number => Math.min(...specs.map(({ minReplicas }) => minReplicas));
const most = (specs: readonly Spec[]): number => Math.max(...specs.map(({ maxReplicas }) => maxReplicas));

const withinBounds = ofRescales(
  {
    name: 'horizontal-pod-autoscaler/within-bounds',
    description: 'What an autoscaler gives to its target is at least minReplicas and at most maxReplicas.',
  },
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
  {
    name: 'horizontal-pod-autoscaler/keeps-its-wishes',
    description:
      'An autoscaler with rules of its own does not undercut what it asked for by its metrics before its window to steady the way down is over, unless its maximum is lowered.',
  },
  () => {
    /** What it asked for, by its target: at least as much as it raised the target to. */
    const wishes = new Map<string, { readonly replicas: number; readonly at: number }[]>();
    return {
      describe: () => wishes,
      forget(target) {
        wishes.delete(target);
      },
      rescaled({ target, before, after, now, specs }) {
        // Without rules it goes up to the most that it asked for of late, whenever that was.
        if (specs.some(({ behavior }) => behavior === undefined)) return false;
        const key = nameOf(target);
        const reach = Math.min(...specs.map(windowOf)) - PERIOD_MS;
        const recent = (wishes.get(key) ?? []).filter(({ at }) => at > now - reach);
        // Up to the minimum it goes without asking its metrics.
        const raised = after > before && after > Math.max(...specs.map(({ minReplicas }) => minReplicas));
        wishes.set(key, raised ? [...recent, { replicas: after, at: now }] : recent);
        if (after > before) return false;
        const ceiling = Math.min(...specs.map(({ maxReplicas }) => maxReplicas));
        const undercut = recent.find(({ replicas }) => after < Math.min(replicas, ceiling));
        if (undercut === undefined) return true;
        const ago = Math.round((now - undercut.at) / 1000);
        return `${ago} seconds after it asked for ${undercut.replicas}; its window is ${Math.round((reach + PERIOD_MS) / 1000)} s`;
      },
    };
  },
);

const noFasterThanAllowed = ofRescales(
  {
    name: 'horizontal-pod-autoscaler/no-faster-than-allowed',
    description: 'An autoscaler without rules of its own at most doubles what there is, or makes it four.',
  },
  () => ({
    rescaled({ before, after, specs }) {
      if (after <= before || specs.some(({ behavior }) => behavior !== undefined)) return false;
      if (after <= Math.max(...specs.map(({ minReplicas }) => minReplicas))) return false;
      return after > fastest(before) ? `and no more than ${fastest(before)} are allowed at a time` : true;
    },
  }),
);

export const horizontalPodAutoscalerInvariants: readonly Invariant[] = [withinBounds, keepsItsWishes, noFasterThanAllowed];
