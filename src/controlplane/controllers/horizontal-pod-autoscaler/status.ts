/**
 * The status of an autoscaler and its conditions. Models: v1.24 pkg/controller/podautoscaler horizontal.go setStatus, setConditionInList.
 */
import type { HorizontalPodAutoscaler, MetricStatus, ScalerCondition, ScalerStatus } from '../../../apiserver/kinds/index.ts';
import { sameValue } from '../../../apiserver/machinery/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import type { Reported } from './bounds.ts';

export type ConditionType = 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';

/** The conditions with one set; a new one is added at the end, and its time changes only with its status. */
export function withCondition(
  conditions: readonly ScalerCondition[],
  type: ConditionType,
  isSo: boolean,
  { reason, message }: Reported,
  now: number,
): readonly ScalerCondition[] {
  const status = isSo ? 'True' : 'False';
  const old = conditions.find((each) => each.type === type);
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : formatTime(now);
  const made = { type, status, lastTransitionTime, reason, message };
  return old === undefined ? [...conditions, made] : conditions.map((each) => (each === old ? made : each));
}

export interface Counts {
  readonly current: number;
  readonly desired: number;
  readonly metrics: readonly MetricStatus[];
  /** Whether the number of replicas was changed. */
  readonly rescaled: boolean;
}

/** The status after an evaluation. */
export function statusOf(
  { status: old }: HorizontalPodAutoscaler,
  { current, desired, metrics, rescaled }: Counts,
  conditions: readonly ScalerCondition[],
  now: number,
): ScalerStatus {
  const lastScaleTime = rescaled ? formatTime(now) : old.lastScaleTime;
  return {
    ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    ...(current === 0 ? {} : { currentReplicas: current }),
    desiredReplicas: desired,
    currentMetrics: metrics.length === 0 ? null : metrics,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** Whether a status has changed. */
export const isRelevant = (old: ScalerStatus, made: ScalerStatus): boolean => !sameValue(old, made);
