/** The schema of HorizontalPodAutoscalers: fields, types, and the defaults that depend only on the object. */
import {
  always,
  asGiven,
  atomicList,
  count32,
  field,
  filled,
  int32,
  int64,
  mapList,
  obj,
  oneOf,
  ptr,
  published,
  quantity,
  req,
  str,
  time,
} from '../../../schema/shape/index.ts';
import type { Complete, Fieldset, Infer, Schema } from '../../../schema/shape/index.ts';
import { conditionReason, conditionType, kindFields, labelSelector, type ObjectOf } from '../../structs/index.ts';

const SELECT_POLICIES = ['Disabled', 'Max', 'Min'] as const;
const POLICY_TYPES = ['Percent', 'Pods'] as const;
export const SOURCE_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'] as const;
const TARGET_TYPES = ['AverageValue', 'Utilization', 'Value'] as const;

/** What each source of a metric is; its struct and the member that holds it have the same text. */
const SOURCES = {
  object: 'A metric of one object, such as the request rate of an Ingress.',
  pods: 'A metric of each pod, averaged over the pods.',
  resource: 'The usage of a resource by the pods, such as cpu.',
  containerResource: 'The usage of a resource by one container of each pod. Needs the gate HPAContainerMetrics.',
  external: 'A metric from outside the cluster, such as the length of a queue.',
};

/** The structs of this group are in a package called v2. */
const own = <const F extends Fieldset>(go: string, about: string, fields: F, flags: { readonly complete?: Complete } = {}) =>
  obj(go, about, fields, { ...flags, inPackage: 'v2' });

const segment = { needed: true, format: 'path segment' } as const;

const reference = own('CrossVersionObjectReference', 'An object of any kind in the same namespace.', {
  kind: field(1, 'Its kind.', req(str()), segment),
  name: field(2, 'Its name.', req(str()), segment),
  apiVersion: field(3, 'The version of its API.', str()),
});

const identifier = own('MetricIdentifier', 'The identity of the metric.', {
  name: field(1, 'Its name.', req(str()), { needed: 'must specify a metric name', format: 'path segment' }),
  selector: field(2, 'A selector by labels of the metrics API, for several metrics of one name.', labelSelector),
});
export const target = own('MetricTarget', 'The target value.', {
  type: field(
    1,
    'Utilization: a share of the requests. Value: the value itself. AverageValue: the value divided by the number of pods.',
    oneOf(req(str('v2.MetricTargetType')), TARGET_TYPES),
    { among: TARGET_TYPES, words: 'must be either Utilization, Value, or AverageValue' },
  ),
  value: field(2, 'The value itself.', quantity),
  averageValue: field(3, 'The value for each pod.', quantity),
  averageUtilization: field(4, 'Percent of the requests of the pods.', ptr(int32), { min: [1, 'must be greater than 0'] }),
});
export type MetricTarget = Infer<typeof target>;
const valueStatus = own('MetricValueStatus', 'The current value.', {
  value: field(1, 'The value itself.', quantity),
  averageValue: field(2, 'The value for each pod.', quantity),
  averageUtilization: field(3, 'Percent of the requests of the pods.', ptr(int32)),
});
export type MetricValueStatus = Infer<typeof valueStatus>;

const RESOURCE_NAME = field(1, 'Name of the resource.', req(str('ResourceName')), { needed: 'must specify a resource name' });
const TYPE = field(1, 'Which of the other members is set.', oneOf(req(str('v2.MetricSourceType')), SOURCE_TYPES));
const named = field(1, 'The identity of the metric.', always(identifier));

/** The five sources of a metric; what is wanted and what is found differ in one member, and in its place in protobuf. */
const sources = <const W extends Schema, const N extends string>(
  suffix: string,
  name: N,
  text: string,
  wanted: W,
  [describedAt, metricAt]: readonly [number, number],
) => {
  const measured = { [name]: field(2, text, always(wanted)) } as { readonly [K in N]: W & { readonly always: true } };
  return {
    object: field(
      2,
      SOURCES.object,
      own(`ObjectMetric${suffix}`, SOURCES.object, {
        describedObject: field(describedAt, 'The object that it describes.', always(reference)),
        ...measured,
        metric: field(metricAt, 'The identity of the metric.', always(identifier)),
      }),
    ),
    pods: field(3, SOURCES.pods, own(`PodsMetric${suffix}`, SOURCES.pods, { metric: named, ...measured })),
    resource: field(4, SOURCES.resource, own(`ResourceMetric${suffix}`, SOURCES.resource, { name: RESOURCE_NAME, ...measured })),
    containerResource: field(
      7,
      SOURCES.containerResource,
      own(`ContainerResourceMetric${suffix}`, SOURCES.containerResource, {
        name: RESOURCE_NAME,
        ...measured,
        container: field(3, 'Name of the container.', req(str()), { needed: 'must specify a container' }),
      }),
      suffix === 'Source' ? { since: 'HPAContainerMetrics' } : {},
    ),
    external: field(5, SOURCES.external, own(`ExternalMetric${suffix}`, SOURCES.external, { metric: named, ...measured })),
  };
};

export const metricSpec = own('MetricSpec', 'One metric.', {
  type: TYPE,
  ...sources('Source', 'target', 'The target value.', target, [1, 3]),
});
export type MetricSpec = Infer<typeof metricSpec>;
const metricStatus = own('MetricStatus', 'One metric at its last evaluation.', {
  type: TYPE,
  ...sources('Status', 'current', 'The current value.', valueStatus, [3, 1]),
});
export type MetricStatus = Infer<typeof metricStatus>;

const POSITIVE = [1, 'must be greater than zero'] as const;
const policy = own('HPAScalingPolicy', 'The allowed change in a period.', {
  type: field(1, 'Whether value is a number of pods or a percentage of them.', oneOf(req(str('v2.HPAScalingPolicyType')), POLICY_TYPES), {
    among: POLICY_TYPES,
  }),
  value: field(2, 'The allowed change. More than 0.', req(int32), { min: POSITIVE }),
  periodSeconds: field(3, 'The period in seconds. 1 to 1800.', req(int32), { min: POSITIVE, max: 1800 }),
});
const rules = own('HPAScalingRules', 'Limits of the scaling speed in one direction.', {
  stabilizationWindowSeconds: field(3, 'The time in seconds over which the most cautious recommendation is used. 0 to 3600.', ptr(int32), {
    min: [0, 'must be greater than or equal to zero'],
    max: 3600,
  }),
  selectPolicy: field(
    1,
    'Max: the policy with the largest change decides. Min: the one with the smallest change. Disabled: no scaling in this direction.',
    oneOf(ptr(str('v2.ScalingPolicySelect')), SELECT_POLICIES),
    { among: SELECT_POLICIES },
  ),
  policies: field(2, 'The allowed change in a period.', ptr(atomicList(policy)), { needed: 'must specify at least one Policy' }),
});
export type ScalingRules = Infer<typeof rules>;

const PERCENT = { type: 'Percent', value: 100, periodSeconds: 15 };
/** The default behavior of each direction. Source: v1.24 pkg/apis/autoscaling/v2/defaults.go. */
const UP = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, PERCENT] };
const DOWN = { selectPolicy: 'Max', policies: [PERCENT] };

type Fields = Readonly<Record<string, unknown>>;

/** An explicitly empty list of policies is kept, and refused. */
function filledWith(given: unknown, standard: Fields): Fields {
  if (typeof given !== 'object' || given === null) return standard;
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const { policies, ...others } = standard;
  return { ...others, ...('policies' in (asGiven(given) as Fields) ? {} : { policies }), ...Object.fromEntries(said) };
}

/** A direction that is given in part gets the defaults for the rest. */
const completeBehavior: Complete = ({ scaleUp, scaleDown }) => {
  const [up, down] = [filledWith(scaleUp, UP), filledWith(scaleDown, DOWN)];
  const isSame = (made: Fields, given: unknown): boolean =>
    typeof given === 'object' && given !== null && Object.keys(made).every((name) => made[name] === (given as typeof made)[name]);
  return isSame(up, scaleUp) && isSame(down, scaleDown) ? undefined : { scaleUp: up, scaleDown: down };
};

const behavior = own(
  'HorizontalPodAutoscalerBehavior',
  'Limits of the scaling speed.',
  {
    scaleUp: field(1, 'Scaling up. Default: at once, by 4 pods or to the double in 15 seconds, whichever is more.', rules),
    scaleDown: field(2, 'Scaling down. Default: to the highest recommendation of the last 5 minutes.', rules),
  },
  { complete: completeBehavior },
);

const DEFAULT_UTILIZATION = 80;
const DEFAULT_METRICS = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: DEFAULT_UTILIZATION } } },
];

const spec = own('HorizontalPodAutoscalerSpec', 'The scaled object, the bounds, and the metrics.', {
  scaleTargetRef: field(1, 'The object whose scale is set: a Deployment, a ReplicaSet, a StatefulSet.', req(reference)),
  minReplicas: field(
    2,
    'The minimum number of replicas; 0 needs the gate HPAScaleToZero and an object or external metric.',
    filled(ptr(int32), 1),
  ),
  maxReplicas: field(3, 'The maximum number of replicas.', req(int32), { min: [1, 'must be greater than 0'] }),
  metrics: field(
    4,
    'The metrics; the one with the highest result decides. Default: 80 % of the requested CPU.',
    filled(atomicList(metricSpec), DEFAULT_METRICS),
  ),
  behavior: field(5, 'Limits of the scaling speed.', behavior),
});

const condition = own('HorizontalPodAutoscalerCondition', 'A condition of the autoscaler.', {
  ...conditionType('AbleToScale, ScalingActive or ScalingLimited', 'v2.HorizontalPodAutoscalerConditionType'),
  ...conditionReason(3),
});
export type ScalerCondition = Infer<typeof condition>;

const status = own('HorizontalPodAutoscalerStatus', 'The result of the last evaluation.', {
  observedGeneration: field(1, 'The latest generation that the controller has processed.', ptr(int64)),
  lastScaleTime: field(2, 'When it last changed the number of replicas.', time),
  currentReplicas: field(3, 'The observed number of replicas.', count32),
  desiredReplicas: field(4, 'The desired number of replicas.', req(count32)),
  currentMetrics: field(5, 'The observed metrics.', published(atomicList(metricStatus))),
  conditions: field(6, 'Whether it can scale, has metrics, and is limited by a bound.', mapList(condition, 'type')),
});
export type ScalerStatus = Infer<typeof status>;

export const horizontalPodAutoscalerSchema = own(
  'HorizontalPodAutoscaler',
  'Scales a workload by metrics of its pods.',
  kindFields({ spec, status }),
);
export type HorizontalPodAutoscaler = ObjectOf<'HorizontalPodAutoscaler', Infer<typeof horizontalPodAutoscalerSchema>>;
