/**
 * Metrics of resources: of pods as a whole, or of one container of each. The metrics server gives one amount per pod. Models: v1.24
 * pkg/controller/podautoscaler horizontal.go computeStatusForResourceMetricGeneric; pkg/controller/podautoscaler/metrics
 * resource_client.go.
 */
import type { MetricSpec, Pod } from '../../../apiserver/kinds/index.ts';
import { milliUnitsOf } from '../../../schema/values/index.ts';
import { type MetricInput, type Evaluated, type Refused, milliText } from './metric-input.ts';
import { forAmount, forShare, type Proposal } from './proposal.ts';
import { defineAggregate, type CacheView } from '../../runtime/index.ts';
import { meterAt, type Meter, type Metered, type Reading, reportsUsage } from '../../usage/index.ts';

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

const EVERY_POD = '';

/** The number of pods with usage annotations. */
export const reportingPods = defineAggregate<'Pod', { count: number }>({
  name: 'pods that report their usage',
  kind: 'Pod',
  groupOf: (pod) => (reportsUsage(pod) ? EVERY_POD : undefined),
  empty: () => ({ count: 0 }),
  add: (summary) => {
    summary.count += 1;
  },
  remove: (summary) => {
    summary.count -= 1;
  },
  change: () => undefined,
  plain: ({ count }) => count,
});

/** The metrics server at an instant, if there is one. */
export const meterFor = (cache: CacheView, { usage, unthrottled }: Metered, now: number): Meter | undefined =>
  usage === undefined && cache.aggregate(reportingPods, EVERY_POD).count === 0
    ? undefined
    : meterAt({ usage, everyPod: () => cache.list('Pod'), isUnthrottled: (node) => unthrottled?.has(node) === true }, now);

/** The usage of each pod for a resource, in thousandths, by name: of the whole pod, or of one container. A text: why it is unknown. */
function usedBy(meter: Meter, pods: readonly Pod[], resource: string, container: string | undefined): ReadonlyMap<string, number> | string {
  const used = new Map<string, number>();
  let known = 0;
  for (const pod of pods) {
    const { name, namespace = '' } = pod.metadata;
    const readings = meter.ofPod(pod);
    if (readings === undefined) continue;
    known += 1;
    const selected = container === undefined ? readings : readings.filter((each) => each.name === container);
    if (selected.length === 0)
      return `failed to get container metrics: container ${container ?? ''} not present in metrics for pod ${namespace}/${name}`;
    const amounts = selected.map(({ reading }) => amountIn(reading, resource));
    if (amounts.every((each) => each !== undefined))
      used.set(
        name,
        amounts.reduce((sum, each) => sum + each, 0),
      );
  }
  return known === 0 ? 'no metrics returned from resource metrics API' : used;
}

const amountIn = (reading: Reading, resource: string): number | undefined =>
  resource === 'cpu' || resource === 'memory' ? reading[resource] : undefined;
