/** What the metrics of an autoscaler ask for, together. Models: v1.24 pkg/controller/podautoscaler horizontal.go computeReplicasForMetrics. */
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus, Pod } from '../../../apiserver/kinds/index.ts';
import { milliUnitsOf } from '../../../grammar/values/index.ts';
import type { Names } from '../../../apiserver/vocabulary/index.ts';
import { forAmount, forShare, type Proposal } from './proposal.ts';
import { milliText } from './milli-text.ts';
import type { Meter } from './usage.ts';

/** What there is to go by. */
export interface Around {
  readonly pods: readonly Pod[];
  /** Who answers for what pods use, if anybody does. */
  readonly meter: Meter | undefined;
  readonly names: Names;
  readonly now: number;
  /** Replicas there are. */
  readonly current: number;
}

interface Judged {
  readonly replicas: number;
  /** As events name it. */
  readonly name: string;
  readonly status: MetricStatus;
}
interface Refused {
  readonly reason: string;
  readonly error: string;
}

/** What all metrics ask for; with `failures` where too few could be had. */
export interface Demand {
  readonly replicas: number;
  readonly name: string;
  readonly statuses: readonly MetricStatus[];
  readonly failures: readonly Refused[];
  /** Whether the failures leave nothing to go by. */
  readonly isVoid: boolean;
}

/** The metric that asks for most decides; one that cannot be had forbids going down. */
export function demandOf({ spec }: HorizontalPodAutoscaler, around: Around): Demand {
  const judged = spec.metrics.map((metric) => judge(metric, around));
  const failures = judged.filter((each): each is Refused => 'error' in each);
  let most: Judged | undefined;
  for (const each of judged) if (!('error' in each) && (most === undefined || each.replicas > most.replicas)) most = each;
  return {
    replicas: most?.replicas ?? 0,
    name: most?.name ?? '',
    // One that could not be had is left empty at its place.
    statuses: judged.map((each) => ('error' in each ? { type: '' } : each.status)),
    failures,
    isVoid: most === undefined || (failures.length > 0 && most.replicas < around.current),
  };
}

function judge(metric: MetricSpec, around: Around): Judged | Refused {
  switch (metric.type) {
    case 'Resource':
      return metric.resource === undefined ? unknown(metric) : judgeResource(metric.resource, around);
    case 'ContainerResource':
      return { reason: 'FailedGetContainerResourceMetric', error: 'usage of single containers is not measured' };
    case 'Pods': {
      const name = metric.pods?.metric.name ?? '';
      const error = `failed to get pods metric value: unable to get metric ${name}: unable to fetch metrics from custom metrics API: ${noCustom(around)}`;
      return { reason: 'FailedGetPodsMetric', error };
    }
    case 'Object': {
      const { metric: named, describedObject } = metric.object ?? { metric: { name: '' }, describedObject: { kind: '', name: '' } };
      const error = `failed to get object metric value: unable to get metric ${named.name}: ${describedObject.kind} on ${describedObject.name}/unable to fetch metrics from custom metrics API: ${noCustom(around)}`;
      return { reason: 'FailedGetObjectMetric', error };
    }
    case 'External': {
      const name = metric.external?.metric.name ?? '';
      const missing = `the server could not find the requested resource (get ${name}.${around.names.group('external.metrics')})`;
      const error = `failed to get ${name} external metric: unable to get external metric ${name}: unable to fetch metrics from external metrics API: ${missing}`;
      return { reason: 'FailedGetExternalMetric', error };
    }
    default:
      return unknown(metric);
  }
}

const noCustom = ({ names }: Around): string => `no custom metrics API (${names.group('custom.metrics')}) registered`;
const unknown = ({ type }: MetricSpec): Refused => ({ reason: 'InvalidMetricSourceType', error: `unknown metric source type "${type}"` });

function judgeResource({ name: resource, target }: NonNullable<MetricSpec['resource']>, around: Around): Judged | Refused {
  const { averageValue, averageUtilization } = target;
  const proposal = proposalFor(resource, averageValue, averageUtilization, around);
  if (typeof proposal === 'string')
    return { reason: 'FailedGetResourceMetric', error: `failed to get ${resource} utilization: ${proposal}` };
  const { replicas, utilization, average } = proposal;
  const current = {
    averageValue: milliText(average),
    ...(utilization === undefined ? {} : { averageUtilization: utilization }),
  };
  return {
    replicas,
    name: `${resource} resource${averageValue === undefined ? ' utilization (percentage of request)' : ''}`,
    status: { type: 'Resource', resource: { name: resource, current } },
  };
}

function proposalFor(
  resource: string,
  amount: string | undefined,
  share: number | undefined,
  { pods, meter, names, now, current }: Around,
): Proposal | string {
  const unable = `unable to get metrics for resource ${resource}: `;
  if (meter === undefined)
    return `${unable}unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.${names.group('metrics')})`;
  const usage = new Map<string, number>();
  let running = 0;
  for (const pod of pods) {
    if (pod.status.phase === 'Running') running += 1;
    const used = meter.of(pod, resource);
    if (used !== undefined) usage.set(pod.metadata.name, used);
  }
  if (running === 0) return `${unable}no metrics returned from resource metrics API`;
  const measured = { pods, usage, resource, now };
  return amount === undefined ? forShare(measured, current, share ?? 0) : forAmount(measured, current, milliUnitsOf(amount));
}
