/**
 * From the replicas that metrics propose to the replicas to set: stabilization windows, scaling rates, and bounds. Models: v1.24
 * pkg/controller/podautoscaler horizontal.go normalizeDesiredReplicas, normalizeDesiredReplicasWithBehaviors and what they call.
 */
import type { HorizontalPodAutoscaler, ScalingRules } from '../../../apiserver/kinds/index.ts';
import { formatDurationMs } from '../../../schema/values/index.ts';
import { changedIn, DOWN_WINDOW_MS, type Memory, windowMs } from './memory.ts';

/** A reason and a message of a condition. */
export interface Reported {
  readonly reason: string;
  readonly message: string;
}
export interface Bounded {
  readonly replicas: number;
  /** Why the stabilized count is, or is not, the recent proposal. */
  readonly steadied: Reported;
  /** The stabilization window that keeps a count other than the proposal, for people; absent: none does. */
  readonly window?: string;
  readonly limited: Reported & { readonly isLimited: boolean };
}

const STEADY: Reported = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };
const HELD_UP: Reported = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const HELD_DOWN: Reported = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};
const WITHIN: Reported = { reason: 'DesiredWithinRange', message: 'the desired count is within the acceptable range' };
const TOO_FEW: Reported = { reason: 'TooFewReplicas', message: 'the desired replica count is less than the minimum replica count' };
const TOO_MANY: Reported = { reason: 'TooManyReplicas', message: 'the desired replica count is more than the maximum replica count' };
const TOO_FAST_UP: Reported = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const TOO_FAST_DOWN: Reported = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};

interface Proposed {
  readonly current: number;
  readonly wanted: number;
  readonly memory: Memory;
  readonly now: number;
}

/** Applies windows, rates and bounds to a proposal. */
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
    const fastest = Math.max(current, fastestUp(current, memory, now, up));
    const [ceiling, why] = maxReplicas > fastest ? [fastest, TOO_FAST_UP] : [maxReplicas, TOO_MANY];
    return wanted > ceiling ? [ceiling, why] : [wanted, WITHIN];
  }
  if (wanted < current) {
    const fastest = Math.min(current, fastestDown(current, memory, now, down));
    const [floor, why] = minReplicas < fastest ? [fastest, TOO_FAST_DOWN] : [minReplicas, TOO_FEW];
    return wanted < floor ? [floor, why] : [wanted, WITHIN];
  }
  return [wanted, WITHIN];
}

/** The limit of a policy is based on the count at the start of its period. */
function fastestUp(current: number, { ups, downs }: Memory, now: number, { selectPolicy, policies = [] }: ScalingRules): number {
  if (selectPolicy === 'Disabled') return current;
  const allowed = policies.map(({ type, value, periodSeconds }) => {
    const before = current - changedIn(ups, periodSeconds, now) + changedIn(downs, periodSeconds, now);
    // Rounded up, because a small percentage of few replicas would never add one.
    return type === 'Pods' ? before + value : Math.ceil(before * (1 + value / 100));
  });
  return selectPolicy === 'Min' ? Math.min(...allowed) : Math.max(...allowed);
}

function fastestDown(current: number, { ups, downs }: Memory, now: number, { selectPolicy, policies = [] }: ScalingRules): number {
  if (selectPolicy === 'Disabled') return current;
  const allowed = policies.map(({ type, value, periodSeconds }) => {
    const before = current + changedIn(downs, periodSeconds, now) - changedIn(ups, periodSeconds, now);
    return type === 'Pods' ? before - value : Math.trunc(before * (1 - value / 100));
  });
  return selectPolicy === 'Min' ? Math.max(...allowed) : Math.min(...allowed);
}
