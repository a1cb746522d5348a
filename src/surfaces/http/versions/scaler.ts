/**
 * HorizontalPodAutoscalers in older versions. Version 1 has only a CPU utilization: other metrics, conditions, current values and behavior
 * are annotations, in the form of v2beta1. Models: v1.24 pkg/apis/autoscaling/v1 and v2beta1 conversion.go, annotations.go.
 */
import { isMapping, jsonIn, present, unlessEmpty } from '../../../schema/values/index.ts';
import type { Kind } from '../../../apiserver/machinery/index.ts';
import { decode, DecodeError, int32, int64, obj, ptr, str, time, field } from '../../../schema/shape/index.ts';
import { badRequest } from '../refusals.ts';
import type { Conversion, Fields } from './convert.ts';

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isMapping) : []);
const fieldsOf = (value: unknown): Fields => (isMapping(value) ? value : {});

/** Where a metric holds its values: in its wanted target, or in what was found. */
type Measure = 'target' | 'current';

/** Names of the members of one source. */
interface Words {
  /** In v2 within its target; its v2beta1 name begins with the measure, unless it is `averageValue` of an object. */
  readonly values: readonly string[];
  /** The v2beta1 names of the metric and of its selector; absent: the source is a resource. */
  readonly named?: readonly [name: string, selector: string];
  /** The v2beta1 name of the described object. */
  readonly described?: string;
}

const RESOURCE: Words = { values: ['averageUtilization', 'averageValue'] };
const SOURCES: Readonly<Record<string, Words>> = {
  object: { values: ['value', 'averageValue'], named: ['metricName', 'selector'], described: 'target' },
  pods: { values: ['averageValue'], named: ['metricName', 'selector'] },
  resource: RESOURCE,
  containerResource: RESOURCE,
  external: { values: ['value', 'averageValue'], named: ['metricName', 'metricSelector'] },
};

const oldName = (member: string, value: string, measure: Measure): string =>
  member === 'object' && value === 'averageValue' ? value : `${measure}${value.charAt(0).toUpperCase()}${value.slice(1)}`;

/** A metric in the words of v2beta1. */
function toOld(metric: Fields, measure: Measure): Fields {
  const made: Record<string, unknown> = { type: metric['type'] };
  for (const [member, { values, named, described }] of Object.entries(SOURCES)) {
    const source = metric[member];
    if (!isMapping(source)) continue;
    const [measured, identity] = [fieldsOf(source[measure]), fieldsOf(source['metric'])];
    made[member] = present({
      ...(described === undefined ? {} : { [described]: source['describedObject'] }),
      ...(named === undefined
        ? { name: source['name'], container: source['container'] }
        : { [named[0]]: identity['name'], [named[1]]: identity['selector'] }),
      ...Object.fromEntries(values.map((value) => [oldName(member, value, measure), measured[value]])),
    });
  }
  return made;
}

/** A metric of v2beta1 in the words of v2. */
function toCurrent(metric: Fields, measure: Measure): Fields {
  const made: Record<string, unknown> = { type: metric['type'] };
  for (const [member, { values, named, described }] of Object.entries(SOURCES)) {
    const source = metric[member];
    if (!isMapping(source)) continue;
    const measured = present(Object.fromEntries(values.map((value) => [value, source[oldName(member, value, measure)]])));
    made[member] = present({
      ...(described === undefined ? {} : { describedObject: source[described] }),
      ...(named === undefined
        ? { name: source['name'], container: source['container'] }
        : { metric: present({ name: source[named[0]], selector: source[named[1]] }) }),
      [measure]: measure === 'current' ? measured : { type: targetType(measured), ...measured },
    });
  }
  return made;
}

const targetType = (measured: Fields): string =>
  measured['averageUtilization'] !== undefined ? 'Utilization' : measured['value'] === undefined ? 'AverageValue' : 'Value';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CURRENT = `${PREFIX}current-metrics`;
const CONDITIONS = `${PREFIX}conditions`;

/** Renames the members of a value, and of the values in it. */
const renamed = (value: unknown, rename: (first: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => renamed(item, rename));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [rename(name.charAt(0)) + name.slice(1), renamed(member, rename)]),
  );
};
/** Capitalises the members of structs without JSON names, as Go writes them. */
const capital = (value: unknown): unknown => renamed(value, (first) => first.toUpperCase());
const small = (value: unknown): unknown => renamed(value, (first) => first.toLowerCase());

/** Separates the CPU utilization in a list of metrics from the other metrics. */
function shareOfCpu(metrics: readonly Fields[], measure: 'target' | 'current') {
  const shareIn = ({ type, resource }: Fields): unknown =>
    type === 'Resource' && fieldsOf(resource)['name'] === 'cpu' ? fieldsOf(fieldsOf(resource)[measure])['averageUtilization'] : undefined;
  return {
    share: metrics.map(shareIn).find((share) => share !== undefined),
    others: metrics.filter((metric) => shareIn(metric) === undefined),
  };
}

const parsed = (text: unknown): unknown => (typeof text === 'string' ? jsonIn(text) : undefined);

/** Returns annotations with some set or removed; undefined if none is left. */
function annotated(metadata: unknown, set: Fields): Fields {
  const fields = fieldsOf(metadata);
  const kept = Object.entries(fieldsOf(fields['annotations'])).filter(([name]) => !name.startsWith(PREFIX));
  const all = present({ ...Object.fromEntries(kept), ...set });
  const { annotations: _, ...rest } = fields;
  return Object.keys(all).length === 0 ? rest : { ...rest, annotations: all };
}

const textOf = (list: readonly unknown[]): string | undefined => (list.length === 0 ? undefined : JSON.stringify(list));

const TARGET = { targetCPUUtilizationPercentage: field(4, ptr(int32)) };
const specOfFirst = obj('HorizontalPodAutoscalerSpec', {
  scaleTargetRef: field(
    1,
    obj('CrossVersionObjectReference', { kind: field(1, str()), name: field(2, str()), apiVersion: field(3, str()) }),
  ),
  minReplicas: field(2, ptr(int32)),
  maxReplicas: field(3, int32),
  ...TARGET,
});
const statusOfFirst = obj('HorizontalPodAutoscalerStatus', {
  observedGeneration: field(1, ptr(int64)),
  lastScaleTime: field(2, time),
  currentReplicas: field(3, int32),
  desiredReplicas: field(4, int32),
  currentCPUUtilizationPercentage: field(5, ptr(int32)),
});

/** Version 1 as it is sent. */
export const firstShape = ({ schema }: Kind) =>
  obj('HorizontalPodAutoscaler', {
    metadata: field(1, schema.fields['metadata'] ?? obj('ObjectMeta', {})),
    spec: field(2, specOfFirst),
    status: field(3, statusOfFirst),
  });

/** Fields of the specification that only version 1 has. */
const OWN_OF_V1 = obj('HorizontalPodAutoscaler', { spec: field(2, obj('HorizontalPodAutoscalerSpec', TARGET)) });

function refuseUnreadable(value: Fields): void {
  try {
    decode(OWN_OF_V1, value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(`HorizontalPodAutoscaler in version "v1" cannot be handled as a HorizontalPodAutoscaler: ${error.message}`);
  }
}

export const scalerConversion: Conversion = {
  read(object) {
    const [spec, status] = [fieldsOf(object['spec']), fieldsOf(object['status'])];
    const wanted = shareOfCpu(listOf(spec['metrics']), 'target');
    const current = listOf(status['currentMetrics']);
    const found = shareOfCpu(current, 'current').share;
    const { metrics: _, behavior, ...bounds } = spec;
    const { currentMetrics: __, conditions, ...counts } = status;
    return {
      ...object,
      metadata: annotated(object['metadata'], {
        [METRICS]: textOf(wanted.others.map((metric) => toOld(metric, 'target'))),
        [BEHAVIOR]: behavior === undefined ? undefined : JSON.stringify(capital(behavior)),
        [CURRENT]: textOf(current.map((metric) => toOld(metric, 'current'))),
        [CONDITIONS]: textOf(listOf(conditions)),
      }),
      spec: present({ ...bounds, targetCPUUtilizationPercentage: wanted.share }),
      status: present({ currentReplicas: 0, desiredReplicas: 0, ...counts, currentCPUUtilizationPercentage: found }),
    };
  },
  write(value) {
    if (!isMapping(value['spec'])) return value;
    refuseUnreadable(value);
    const annotations = fieldsOf(fieldsOf(value['metadata'])['annotations']);
    const { targetCPUUtilizationPercentage: share, ...spec } = value['spec'];
    const others = listOf(parsed(annotations[METRICS])).map((metric) => toCurrent(metric, 'target'));
    const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: share } } };
    const metrics = share === undefined || share === null ? others : [...others, cpu];
    const behavior = small(parsed(annotations[BEHAVIOR]));
    const { currentCPUUtilizationPercentage: _, ...status } = fieldsOf(value['status']);
    const current = listOf(parsed(annotations[CURRENT])).map((metric) => toCurrent(metric, 'current'));
    const conditions = parsed(annotations[CONDITIONS]);
    return {
      ...value,
      metadata: annotated(value['metadata'], {}),
      spec: { ...spec, ...present({ metrics: unlessEmpty(metrics), behavior: isMapping(behavior) ? behavior : undefined }) },
      status: {
        ...status,
        ...present({ currentMetrics: unlessEmpty(current), conditions: Array.isArray(conditions) ? conditions : undefined }),
      },
    };
  },
};

/** v2beta1: its metrics, with behavior as an annotation. */
export const scalerBetaConversion: Conversion = {
  read(object) {
    const [spec, status] = [fieldsOf(object['spec']), fieldsOf(object['status'])];
    const { behavior, ...rest } = spec;
    return {
      ...object,
      metadata: annotated(object['metadata'], { [BEHAVIOR]: behavior === undefined ? undefined : JSON.stringify(capital(behavior)) }),
      spec: { ...rest, metrics: listOf(spec['metrics']).map((metric) => toOld(metric, 'target')) },
      status: {
        currentReplicas: 0,
        ...status,
        currentMetrics: Array.isArray(status['currentMetrics'])
          ? listOf(status['currentMetrics']).map((metric) => toOld(metric, 'current'))
          : null,
        conditions: status['conditions'] ?? null,
      },
    };
  },
  write(value) {
    if (!isMapping(value['spec'])) return value;
    const behavior = small(parsed(fieldsOf(fieldsOf(value['metadata'])['annotations'])[BEHAVIOR]));
    const { metrics: given } = value['spec'];
    const metrics = Array.isArray(given) ? given : undefined;
    const status = fieldsOf(value['status']);
    return {
      ...value,
      metadata: annotated(value['metadata'], {}),
      spec: {
        ...value['spec'],
        ...present({
          metrics: metrics?.map((metric: unknown) => (isMapping(metric) ? toCurrent(metric, 'target') : metric)),
          behavior: isMapping(behavior) ? behavior : undefined,
        }),
      },
      ...(Array.isArray(status['currentMetrics'])
        ? { status: { ...status, currentMetrics: listOf(status['currentMetrics']).map((metric) => toCurrent(metric, 'current')) } }
        : {}),
    };
  },
};

/** v2beta2: the same fields; two of the status are always written. */
export const scalerSecondBetaConversion: Conversion = {
  read: (object) => {
    const { observedGeneration, lastScaleTime, currentReplicas = 0, ...status } = fieldsOf(object['status']);
    return { ...object, status: { ...present({ observedGeneration, lastScaleTime }), currentReplicas, conditions: null, ...status } };
  },
  write: (value) => value,
};
