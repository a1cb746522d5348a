/**
 * From the replicas that metrics propose to the replicas to set: stabilization windows, scaling rates, and bounds. Models: v1.24
 * pkg/controller/podautoscaler horizontal.go normalizeDesiredReplicas, normalizeDesiredReplicasWithBehaviors and what they call.
 */
import type { HorizontalPodAutoscaler, ScalingRules } from '../../../apiserver/kinds/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';

export interface Reported {
  readonly reason: string;
  readonly message: string;
}
interface Bounded {
  readonly replicas: number;
  /** Why the stabilized count is, or is not, the recent proposal. */
  readonly steadied: Reported;
  /** The stabilization window that keeps a count other than the proposal, for people; absent: none does. */
  readonly window?: string;
  readonly limited: Reported & { readonly isLimited: boolean };
}

const as = (reason: string, message: string): Reported => ({ reason, message });
const STEADY = as('ReadyForNewScale', 'recommended size matches current size');
const HELD_UP = as('ScaleUpStabilized', 'recent recommendations were lower than current one, applying the lowest recent recommendation');
const HELD_DOWN = as(
  'ScaleDownStabilized',
  'recent recommendations were higher than current one, applying the highest recent recommendation',
);
const WITHIN = as('DesiredWithinRange', 'the desired count is within the acceptable range');
const TOO_FEW = as('TooFewReplicas', 'the desired replica count is less than the minimum replica count');
const TOO_MANY = as('TooManyReplicas', 'the desired replica count is more than the maximum replica count');
const TOO_FAST_UP = as('ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate');
const TOO_FAST_DOWN = as('ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate');

interface Proposed {
  readonly current: number;
  readonly wanted: number;
  readonly memory: Memory;
  readonly now: number;
}

export function bound(autoscaler: HorizontalPodAutoscaler, proposed: Proposed): Bounded {
  const { behavior } = autoscaler.spec;
  const { scaleUp, scaleDown } = behavior ?? {};
  if (scaleUp === undefined || scaleDown === undefined) return boundByDefault(autoscaler, proposed);
  const steady = steadied(proposed, windowMs(scaleUp, 0), windowMs(scaleDown, DOWN_WINDOW_MS));
  const up = proposed.wanted >= proposed.current;
  const [replicas, why] = limited(autoscaler, { ...proposed, wanted: steady }, scaleUp, scaleDown);
  return {
    replicas,
    ...heldBy(proposed, steady, up, up ? windowMs(scaleUp, 0) : windowMs(scaleDown, DOWN_WINDOW_MS)),
    limited: { ...why, isLimited: replicas !== steady },
  };
}

/** The greatest proposal of the last five minutes; upwards at most to twice the count, or to four. */
function boundByDefault(
  { spec: { minReplicas, maxReplicas } }: HorizontalPodAutoscaler,
  { current, wanted, memory, now }: Proposed,
): Bounded {
  const recent = (memory.recommendations ?? []).filter(({ at }) => at > now - DOWN_WINDOW_MS);
  const steady = recent.reduce((most, { replicas }) => Math.max(most, replicas), wanted);
  const most = Math.max(2 * current, 4);
  const [ceiling, tooMuch] = maxReplicas > most ? [most, TOO_FAST_UP] : [maxReplicas, TOO_MANY];
  const [replicas, why] = steady < minReplicas ? [minReplicas, TOO_FEW] : steady > ceiling ? [ceiling, tooMuch] : [steady, WITHIN];
  return { replicas, ...heldBy({ wanted }, steady, false, DOWN_WINDOW_MS), limited: { ...why, isLimited: replicas !== steady } };
}

/** The effect of a window on a proposal, for the condition and for people. */
function heldBy({ wanted }: Pick<Proposed, 'wanted'>, steady: number, up: boolean, ms: number): Pick<Bounded, 'steadied' | 'window'> {
  if (steady === wanted) return { steadied: STEADY };
  return {
    steadied: up ? HELD_UP : HELD_DOWN,
    window: `the stabilization window of ${formatDurationMs(ms)} keeps the ${up ? 'lowest' : 'highest'} recommendation in it, ${steady}`,
  };
}

/** The count closest to the present one that is between the lowest proposal of the one window and the highest of the other. */
function steadied({ current, wanted, memory, now }: Proposed, upMs: number, downMs: number): number {
  let [least, most] = [wanted, wanted];
  for (const { replicas, at } of memory.recommendations ?? []) {
    if (at > now - upMs) least = Math.min(least, replicas);
    if (at > now - downMs) most = Math.max(most, replicas);
  }
  return Math.min(Math.max(current, least), most);
}

function limited(
  { spec: { minReplicas, maxReplicas } }: HorizontalPodAutoscaler,
  { current, wanted, memory, now }: Proposed,
  up: ScalingRules,
  down: ScalingRules,
): readonly [number, Reported] {
  if (wanted > current) {
    const most = Math.max(current, fastest(current, memory, now, up, 1));
    const [ceiling, why] = maxReplicas > most ? [most, TOO_FAST_UP] : [maxReplicas, TOO_MANY];
    return wanted > ceiling ? [ceiling, why] : [wanted, WITHIN];
  }
  if (wanted < current) {
    const least = Math.min(current, fastest(current, memory, now, down, -1));
    const [floor, why] = minReplicas < least ? [least, TOO_FAST_DOWN] : [minReplicas, TOO_FEW];
    return wanted < floor ? [floor, why] : [wanted, WITHIN];
  }
  return [wanted, WITHIN];
}

/** The limit of a policy is based on the count at the start of its period. */
function fastest(
  current: number,
  { ups, downs }: Memory,
  now: number,
  { selectPolicy, policies = [] }: ScalingRules,
  sign: 1 | -1,
): number {
  if (selectPolicy === 'Disabled') return current;
  const allowed = policies.map(({ type, value, periodSeconds }) => {
    const before = current - changedIn(ups, periodSeconds, now) + changedIn(downs, periodSeconds, now);
    if (type === 'Pods') return before + sign * value;
    // Rounded up, because a small percentage of few replicas would never add one.
    return sign === 1 ? Math.ceil(before * (1 + value / 100)) : Math.trunc(before * (1 - value / 100));
  });
  return selectPolicy === 'Min'
    ? sign * Math.min(...allowed.map((each) => sign * each))
    : sign * Math.max(...allowed.map((each) => sign * each));
}

/** The memory about an autoscaler while the process runs: its proposals and its changes, as far back as its rules need. */
interface Sample {
  readonly replicas: number;
  readonly at: number;
}
export interface Memory {
  /** When the next evaluation is due, milliseconds since the epoch. */
  readonly dueAt: number;
  readonly recommendations?: readonly Sample[];
  /** Replicas that were added, and removed. */
  readonly ups?: readonly Sample[];
  readonly downs?: readonly Sample[];
}

/** --horizontal-pod-autoscaler-downscale-stabilization: the default of an autoscaler's window. */
const DOWN_WINDOW_MS = 300_000;

const windowMs = ({ stabilizationWindowSeconds }: ScalingRules, otherwise: number): number =>
  stabilizationWindowSeconds === undefined ? otherwise : stabilizationWindowSeconds * 1000;

const longestPeriodMs = ({ policies = [] }: ScalingRules): number =>
  policies.reduce((longest, { periodSeconds }) => Math.max(longest, periodSeconds * 1000), 0);

const since = (samples: readonly Sample[], at: number): readonly Sample[] => samples.filter((sample) => sample.at > at);

/** The memory with the latest proposal; proposals older than all windows are dropped. */
export function remembering(memory: Memory, { spec: { behavior } }: HorizontalPodAutoscaler, replicas: number, now: number): Memory {
  const up = behavior?.scaleUp === undefined ? 0 : windowMs(behavior.scaleUp, 0);
  const down = behavior?.scaleDown === undefined ? DOWN_WINDOW_MS : windowMs(behavior.scaleDown, DOWN_WINDOW_MS);
  const reach = now - Math.max(up, down);
  return { ...memory, recommendations: [...since(memory.recommendations ?? [], reach), { replicas, at: now }] };
}

/** The memory with the latest change, which only scaling policies need. */
export function changing(memory: Memory, { spec: { behavior } }: HorizontalPodAutoscaler, from: number, to: number, now: number): Memory {
  if (behavior === undefined || from === to) return memory;
  const kept = (samples: readonly Sample[] | undefined, rules: ScalingRules | undefined): readonly Sample[] =>
    since(samples ?? [], now - (rules === undefined ? 0 : longestPeriodMs(rules)));
  return to > from
    ? { ...memory, ups: [...kept(memory.ups, behavior.scaleUp), { replicas: to - from, at: now }] }
    : { ...memory, downs: [...kept(memory.downs, behavior.scaleDown), { replicas: from - to, at: now }] };
}

const changedIn = (samples: readonly Sample[] | undefined, seconds: number, now: number): number =>
  since(samples ?? [], now - seconds * 1000).reduce((sum, { replicas }) => sum + replicas, 0);
