/** The memory about an autoscaler while the process runs: its proposals and its changes, as far back as its rules need. */
import type { HorizontalPodAutoscaler, ScalingRules } from '../../../apiserver/kinds/index.ts';

export interface Sample {
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
export const DOWN_WINDOW_MS = 300_000;

/** The stabilization window of rules, milliseconds. */
export const windowMs = ({ stabilizationWindowSeconds }: ScalingRules, otherwise: number): number =>
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

/** The sum of changes in the last seconds. */
export const changedIn = (samples: readonly Sample[] | undefined, seconds: number, now: number): number =>
  since(samples ?? [], now - seconds * 1000).reduce((sum, { replicas }) => sum + replicas, 0);
