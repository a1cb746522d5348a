/**
 * Metrics of resources: of pods as a whole, or of one container of each. Models: v1.24 pkg/controller/podautoscaler horizontal.go
 * computeStatusForResourceMetricGeneric.
 */
import type { MetricSpec } from '../../../apiserver/kinds/index.ts';
import { milliUnitsOf } from '../../../schema/values/index.ts';
import type { MetricInput, Evaluated, Refused } from './metric-input.ts';
import { milliText } from './milli-text.ts';
import { forAmount, forShare, type Proposal } from './proposal.ts';
import { usedBy } from './usage.ts';

type Source<K extends keyof MetricSpec> = NonNullable<MetricSpec[K]>;
type Target = Source<'resource'>['target'];

export function evaluateResource({ name, target }: Source<'resource'>, around: MetricInput): Evaluated | Refused {
  const proposal = proposalFor(name, target, undefined, around);
  if (typeof proposal === 'string') return { reason: 'FailedGetResourceMetric', error: proposal };
  return { ...reported(name, target, proposal), status: { type: 'Resource', resource: { name, current: currentOf(proposal) } } };
}

export function evaluateContainer({ name, container, target }: Source<'containerResource'>, around: MetricInput): Evaluated | Refused {
  const proposal = proposalFor(name, target, container, around);
  if (typeof proposal === 'string') return { reason: 'FailedGetContainerResourceMetric', error: proposal };
  const containerResource = { name, container, current: currentOf(proposal) };
  return { ...reported(name, target, proposal), status: { type: 'ContainerResource', containerResource } };
}

const reported = (resource: string, { averageValue }: Target, { replicas }: Proposal) => ({
  replicas,
  name: `${resource} resource${averageValue === undefined ? ' utilization (percentage of request)' : ''}`,
});

const currentOf = ({ average, utilization }: Proposal) => ({
  averageValue: milliText(average),
  ...(utilization === undefined ? {} : { averageUtilization: utilization }),
});

/** A text is the reason why there is no proposal. */
function proposalFor(
  resource: string,
  { averageValue, averageUtilization = 0 }: Target,
  container: string | undefined,
  { pods, meter, names, now, current }: MetricInput,
): Proposal | string {
  const failed = `failed to get ${resource} utilization: `;
  const unable = `${failed}unable to get metrics for resource ${resource}: `;
  if (meter === undefined)
    return `${unable}unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.${names.group('metrics')})`;
  const usage = usedBy(meter, pods, resource, container);
  if (typeof usage === 'string') return `${unable}${usage}`;
  const measured = { pods, usage, resource, now, ...(container === undefined ? {} : { container }) };
  const made =
    averageValue === undefined ? forShare(measured, current, averageUtilization) : forAmount(measured, current, milliUnitsOf(averageValue));
  return typeof made === 'string' ? `${failed}${made}` : made;
}
