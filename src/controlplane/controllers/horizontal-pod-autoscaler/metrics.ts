/** The combined proposal of an autoscaler's metrics. Models: v1.24 pkg/controller/podautoscaler horizontal.go computeReplicasForMetrics. */
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../../../apiserver/kinds/index.ts';
import type { MetricInput, Evaluated, Refused } from './metric-input.ts';
import { evaluateExternal, evaluateObject, evaluatePods } from './other-metrics.ts';
import { evaluateContainer, evaluateResource } from './resource-metrics.ts';

/** The proposal of all metrics; with `failures` where some were unavailable. */
export interface Demand {
  readonly replicas: number;
  readonly name: string;
  readonly statuses: readonly MetricStatus[];
  readonly failures: readonly Refused[];
  /** Whether the failures leave no proposal. */
  readonly isVoid: boolean;
}

/** The greatest proposal wins; an unavailable metric prevents scaling down. */
export function demandOf({ spec }: HorizontalPodAutoscaler, around: MetricInput): Demand {
  const evaluated = spec.metrics.map((metric) => evaluate(metric, around));
  const failures = evaluated.filter((each): each is Refused => 'error' in each);
  let most: Evaluated | undefined;
  for (const each of evaluated) if (!('error' in each) && (most === undefined || each.replicas > most.replicas)) most = each;
  return {
    replicas: most?.replicas ?? 0,
    name: most?.name ?? '',
    // An unavailable metric leaves an empty entry at its position.
    statuses: evaluated.map((each) => ('error' in each ? { type: '' } : each.status)),
    failures,
    isVoid: most === undefined || (failures.length > 0 && most.replicas < around.current),
  };
}

function evaluate(metric: MetricSpec, around: MetricInput): Evaluated | Refused {
  const { type, resource, containerResource, pods, object, external } = metric;
  if (type === 'Resource' && resource !== undefined) return evaluateResource(resource, around);
  if (type === 'ContainerResource' && containerResource !== undefined) return evaluateContainer(containerResource, around);
  if (type === 'Pods' && pods !== undefined) return evaluatePods(pods, around);
  if (type === 'Object' && object !== undefined) return evaluateObject(object, around);
  if (type === 'External' && external !== undefined) return evaluateExternal(external, around);
  return { reason: 'InvalidMetricSourceType', error: `unknown metric source type "${type}"` };
}
