/**
 * The metrics of an autoscaler: resources of pods as a whole, or of one container of each; metrics of pods, of another object, and external
 * ones; and the combined proposal of all. Models: v1.24 pkg/controller/podautoscaler horizontal.go computeReplicasForMetrics,
 * computeStatusForResourceMetricGeneric, computeStatusFor{Pods,Object,External}Metric, metrics/client.go, resource_client.go; adapters'
 * responses: custom-metrics-apiserver pkg/provider errors.go; apimachinery pkg/api/resource NewMilliQuantity.
 */
import type { KindRegistry, MetricStatus, Pod, MetricSpec, HorizontalPodAutoscaler } from '../../../apiserver/kinds/index.ts';
import type { Names, LabelSelector } from '../../../apiserver/machinery/index.ts';
import { type Meter, type Series, meterAt, type Metered, type Reading, reportsUsage, type Question } from '../../usage/index.ts';
import { formatQuantity, makeQuantity, compareText, milliUnitsOf, labelMatcher } from '../../../schema/values/index.ts';
import { forAmount, forShare, type Proposal, forEach, forTotal } from './proposal.ts';
import { defineAggregate, type CacheView } from '../../runtime/index.ts';

export interface MetricInput {
  readonly namespace: string;
  readonly pods: readonly Pod[];
  readonly everyPod: () => readonly Pod[];
  /** The metrics server, if there is one. */
  readonly meter: Meter | undefined;
  /** The adapter of other metrics, if there is one. */
  readonly series: Series | undefined;
  readonly names: Names;
  readonly kinds: KindRegistry;
  readonly now: number;
  /** The replicas in the target's spec. */
  readonly current: number;
  /** The replicas in the target's status. */
  readonly found: number;
}

export interface Evaluated {
  readonly replicas: number;
  readonly name: string;
  readonly status: MetricStatus;
}
export interface Refused {
  readonly reason: string;
  /** The text in the condition and in an event. */
  readonly error: string;
  /** The text in the event about all metrics, where it is longer. */
  readonly within?: string;
}

/** `90000` is `90`, `90` is `90m`. */
const milliText = (thousandths: number): string => formatQuantity(makeQuantity(BigInt(thousandths), -3, 'DecimalSI', false));

/** A label selector in Go's text format. Models: v1.24 apimachinery pkg/apis/meta/v1 generated.pb.go String. */
function selectorText(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

type Target = Source<'resource'>['target'];

function evaluateResource({ name, target }: Source<'resource'>, around: MetricInput): Evaluated | Refused {
  const proposal = proposalFor(name, target, undefined, around);
  if (typeof proposal === 'string') return { reason: 'FailedGetResourceMetric', error: proposal };
  return { ...reported(name, target, proposal), status: { type: 'Resource', resource: { name, current: currentOf(proposal) } } };
}

function evaluateContainer({ name, container, target }: Source<'containerResource'>, around: MetricInput): Evaluated | Refused {
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

/** Their number, so that an evaluation does not visit the pods of all namespaces. */
export const reportingPods = defineAggregate<'Pod', { count: number }>({
  name: 'pods that report their usage',
  kind: 'Pod',
  groupOf: (pod) => (reportsUsage(pod) ? EVERY_POD : undefined),
  empty: () => ({ count: 0 }),
  add: (summary) => void summary.count++,
  remove: (summary) => void summary.count--,
  change: () => undefined,
  plain: ({ count }) => count,
});

/** The metrics server at an instant; undefined: there is none, because nothing describes usage. */
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
    const sum = amounts.reduce<number>((total, each) => total + (each ?? Number.NaN), 0);
    if (!Number.isNaN(sum)) used.set(name, sum);
  }
  return known === 0 ? 'no metrics returned from resource metrics API' : used;
}

const amountIn = (reading: Reading, resource: string): number | undefined =>
  resource === 'cpu' || resource === 'memory' ? reading[resource] : undefined;

type Source<K extends keyof MetricSpec> = NonNullable<MetricSpec[K]>;
type Identity = Source<'pods'>['metric'];

const refused = (reason: string, what: string, error: string): Refused => ({ reason, error, within: `${what}: ${error}` });

const questionFor = ({ name, selector }: Identity, { namespace }: MetricInput): Question => ({
  name,
  namespace,
  matches: selector === undefined ? () => true : labelMatcher(selector),
});

const identityOf = ({ name, selector }: Identity): Identity => ({ name, ...(selector === undefined ? {} : { selector }) });

const fromCustom = (error: string): string => `unable to fetch metrics from custom metrics API: ${error}`;
const noCustom = ({ names }: MetricInput): string => fromCustom(`no custom metrics API (${names.group('custom.metrics')}) registered`);

function evaluatePods({ metric, target }: Source<'pods'>, around: MetricInput): Evaluated | Refused {
  const { name } = metric;
  const { pods, everyPod, series, now, current } = around;
  const unable = (error: string): Refused =>
    refused('FailedGetPodsMetric', 'failed to get pods metric value', `unable to get metric ${name}: ${error}`);
  if (series?.custom !== true) return unable(noCustom(around));
  const found = series.ofPods(questionFor(metric, around), pods, everyPod, now);
  if (found === undefined) return unable(fromCustom(`the server could not find the metric ${name} for pods`));
  if (found.size === 0) return unable('no metrics returned from custom metrics API');
  const usage = new Map([...found].map(([key, value]) => [key.slice(key.indexOf('/') + 1), value]));
  const proposal = forAmount({ pods, usage, resource: '', now }, current, milliUnitsOf(target.averageValue ?? '0'));
  if (typeof proposal === 'string') return refused('FailedGetPodsMetric', 'failed to get pods metric value', proposal);
  return {
    replicas: proposal.replicas,
    name: `pods metric ${name}`,
    status: { type: 'Pods', pods: { metric: identityOf(metric), current: { averageValue: milliText(proposal.average) } } },
  };
}

function evaluateObject({ metric, target, describedObject }: Source<'object'>, around: MetricInput): Evaluated | Refused {
  const { name } = metric;
  const { namespace, pods, series, now, current, found, names, kinds } = around;
  const what = 'failed to get object metric value';
  const unable = (error: string): Refused => {
    const whole = `unable to get metric ${name}: ${describedObject.kind} on ${namespace} ${describedObject.name}/${error}`;
    const within = target.type === 'AverageValue' ? `${what}: failed to get ${name} object metric` : what;
    return refused('FailedGetObjectMetric', within, whole);
  };
  if (series?.custom !== true) return unable(noCustom(around));
  const value = series.ofObject(questionFor(metric, around), describedObject, now);
  if (value === undefined) {
    const { plural = describedObject.kind, groupPrefix = '' } = kinds.byKind(describedObject.kind) ?? {};
    const resource = groupPrefix === '' ? plural : `${plural}.${names.group(groupPrefix)}`;
    return unable(fromCustom(`the server could not find the metric ${name} for ${resource} ${describedObject.name}`));
  }
  if (target.type === 'AverageValue') {
    const { replicas, average } = forEach(found, value, milliUnitsOf(target.averageValue ?? '0'));
    const described = { kind: '', name: '' };
    const object = { metric: identityOf(metric), current: { averageValue: milliText(average) }, describedObject: described };
    return { replicas, name: `external metric ${name}(${selectorText(metric.selector)})`, status: { type: 'Object', object } };
  }
  const replicas = forTotal(pods, current, value, milliUnitsOf(target.value ?? '0'));
  if (typeof replicas === 'string') return refused('FailedGetObjectMetric', what, replicas);
  const object = { metric: identityOf(metric), current: { value: milliText(value) }, describedObject };
  return { replicas, name: `${describedObject.kind} metric ${name}`, status: { type: 'Object', object } };
}

function evaluateExternal({ metric, target }: Source<'external'>, around: MetricInput): Evaluated | Refused {
  const { name, selector } = metric;
  const { namespace, pods, series, now, current, found, names } = around;
  const { averageValue } = target;
  const what = averageValue === undefined ? `failed to get external metric ${name}` : `failed to get ${name} external metric`;
  const unable = (error: string): Refused =>
    refused('FailedGetExternalMetric', what, `unable to get external metric ${namespace}/${name}/${selectorText(selector)}: ${error}`);
  if (series?.external !== true) {
    const missing = `the server could not find the requested resource (get ${name}.${names.group('external.metrics')})`;
    return unable(`unable to fetch metrics from external metrics API: ${missing}`);
  }
  const answers = series.fromOutside(questionFor(metric, around), now);
  if (answers.length === 0) return unable('no metrics returned from external metrics API');
  const value = answers.reduce((sum, each) => sum + each.value, 0);
  const of = { name: `external metric ${name}(${selectorText(selector)})` };
  if (averageValue !== undefined) {
    const { replicas, average } = forEach(found, value, milliUnitsOf(averageValue));
    const external = { metric: identityOf(metric), current: { averageValue: milliText(average) } };
    return { ...of, replicas, status: { type: 'External', external } };
  }
  const replicas = forTotal(pods, current, value, milliUnitsOf(target.value ?? '0'));
  if (typeof replicas === 'string') return refused('FailedGetExternalMetric', what, replicas);
  return { ...of, replicas, status: { type: 'External', external: { metric: identityOf(metric), current: { value: milliText(value) } } } };
}

export type Demand = ReturnType<typeof demandOf>;

/**
 * The proposal of all metrics; with `failures` where some were unavailable; `isVoid`: they leave no proposal. The greatest proposal wins; an
 * unavailable metric prevents scaling down.
 */
export function demandOf({ spec }: HorizontalPodAutoscaler, around: MetricInput) {
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
