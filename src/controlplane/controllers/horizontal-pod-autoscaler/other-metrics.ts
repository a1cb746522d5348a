/**
 * Metrics other than resources: of pods, of another object, and external ones. And the combined proposal of all metrics. Models: v1.24
 * pkg/controller/podautoscaler horizontal.go computeStatusFor{Pods,Object,External}Metric, metrics/client.go; adapters' responses:
 * custom-metrics-apiserver pkg/provider errors.go; pkg/controller/podautoscaler horizontal.go computeReplicasForMetrics.
 */
import type { MetricSpec, HorizontalPodAutoscaler, MetricStatus } from '../../../apiserver/kinds/index.ts';
import { labelMatcher, milliUnitsOf } from '../../../schema/values/index.ts';
import type { Question } from '../../usage/index.ts';
import { type MetricInput, type Evaluated, type Refused, milliText, selectorText } from './metric-input.ts';
import { forAmount, forEach, forTotal } from './proposal.ts';
import { evaluateContainer, evaluateResource } from './resource-metrics.ts';

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
