/** The schema of HorizontalPodAutoscalers: fields, types, and the defaults that depend only on the object. */
import {
  always,
  asGiven,
  atomicList,
  type Complete,
  filled,
  type Infer,
  int32,
  int64,
  mapList,
  obj,
  ptr,
  published,
  quantity,
  req,
  type Schema,
  str,
  time,
  type Fieldset,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { labelSelector, type ObjectOf, typeMeta } from '../../machinery/index.ts';

export const SELECT_POLICIES = ['Disabled', 'Max', 'Min'] as const;
export const POLICY_TYPES = ['Percent', 'Pods'] as const;
export const SOURCE_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'] as const;
export const TARGET_TYPES = ['AverageValue', 'Utilization', 'Value'] as const;

/** What each source of a metric is; its struct and the member that holds it have the same text. */
const SOURCES = {
  object: 'A number that describes one object, such as the requests that an Ingress gets.',
  pods: 'A number that each of the pods has; its average counts.',
  resource: 'How much of a resource the pods use, such as cpu.',
  containerResource: 'How much of a resource one container of each pod uses. Needs the gate HPAContainerMetrics.',
  external: 'A number from outside the cluster, such as the length of a queue.',
};

/** The structs of this group are in a package called v2. */
const own = <const F extends Fieldset>(go: string, about: string, fields: F, flags: { readonly complete?: Complete } = {}) =>
  obj(go, about, fields, { ...flags, inPackage: 'v2' });

const reference = own('CrossVersionObjectReference', 'An object of any kind in the same namespace.', {
  kind: field(1, 'Its kind.', req(str())),
  name: field(2, 'Its name.', req(str())),
  apiVersion: field(3, 'The version of its API.', str()),
});
export type CrossVersionObjectReference = Infer<typeof reference>;

const identifier = own('MetricIdentifier', 'Which number is meant.', {
  name: field(1, 'Its name.', req(str())),
  selector: field(2, 'Which of several of that name, by labels that the metrics API knows.', labelSelector),
});
const target = own('MetricTarget', 'What it should be.', {
  type: field(
    1,
    'Utilization: a share of what is requested. Value: the number itself. AverageValue: the number divided by the pods.',
    oneOf(req(str('v2.MetricTargetType')), TARGET_TYPES),
  ),
  value: field(2, 'The number itself.', quantity),
  averageValue: field(3, 'The number for each pod.', quantity),
  averageUtilization: field(4, 'Percent of what the pods request.', ptr(int32)),
});
export type MetricTarget = Infer<typeof target>;
const valueStatus = own('MetricValueStatus', 'What it is.', {
  value: field(1, 'The number itself.', quantity),
  averageValue: field(2, 'The number for each pod.', quantity),
  averageUtilization: field(3, 'Percent of what the pods request.', ptr(int32)),
});
export type MetricValueStatus = Infer<typeof valueStatus>;

const RESOURCE_NAME = 'Name of the resource.';
const TYPE = field(1, 'Which of the other members is filled.', oneOf(req(str('v2.MetricSourceType')), SOURCE_TYPES));
const named = field(1, 'Which number is meant.', always(identifier));

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
        metric: field(metricAt, 'Which number is meant.', always(identifier)),
      }),
    ),
    pods: field(3, SOURCES.pods, own(`PodsMetric${suffix}`, SOURCES.pods, { metric: named, ...measured })),
    resource: field(
      4,
      SOURCES.resource,
      own(`ResourceMetric${suffix}`, SOURCES.resource, { name: field(1, RESOURCE_NAME, req(str('ResourceName'))), ...measured }),
    ),
    containerResource: field(
      7,
      SOURCES.containerResource,
      own(`ContainerResourceMetric${suffix}`, SOURCES.containerResource, {
        name: field(1, RESOURCE_NAME, req(str('ResourceName'))),
        ...measured,
        container: field(3, 'Name of the container.', req(str())),
      }),
    ),
    external: field(5, SOURCES.external, own(`ExternalMetric${suffix}`, SOURCES.external, { metric: named, ...measured })),
  };
};

const metricSpec = own('MetricSpec', 'One number to go by.', {
  type: TYPE,
  ...sources('Source', 'target', 'What it should be.', target, [1, 3]),
});
export type MetricSpec = Infer<typeof metricSpec>;
const metricStatus = own('MetricStatus', 'One number as it was when it was looked at last.', {
  type: TYPE,
  ...sources('Status', 'current', 'What it is.', valueStatus, [3, 1]),
});
export type MetricStatus = Infer<typeof metricStatus>;

const policy = own('HPAScalingPolicy', 'How much may change in a time.', {
  type: field(1, 'Whether value is a number of pods or a percentage of them.', oneOf(req(str('v2.HPAScalingPolicyType')), POLICY_TYPES)),
  value: field(2, 'How much may change. More than 0.', req(int32)),
  periodSeconds: field(3, 'In how long. 1 to 1800.', req(int32)),
});
export type ScalingPolicy = Infer<typeof policy>;
const rules = own('HPAScalingRules', 'How fast it may go in one direction.', {
  stabilizationWindowSeconds: field(
    3,
    'So far back it looks at what it asked for, and takes the most cautious of it. 0 to 3600.',
    ptr(int32),
  ),
  selectPolicy: field(
    1,
    'Max: the policy that allows most decides. Min: the one that allows least. Disabled: it does not go that way.',
    oneOf(ptr(str('v2.ScalingPolicySelect')), SELECT_POLICIES),
  ),
  policies: field(2, 'How much may change in a time.', ptr(atomicList(policy))),
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
  'How fast it may go up and down.',
  {
    scaleUp: field(1, 'Upwards. Without: at once, by 4 pods or to the double in 15 seconds, whichever is more.', rules),
    scaleDown: field(2, 'Downwards. Without: to the greatest number asked for in the last 5 minutes.', rules),
  },
  { complete: completeBehavior },
);
export type ScalingBehavior = Infer<typeof behavior>;

const DEFAULT_UTILIZATION = 80;
const DEFAULT_METRICS = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: DEFAULT_UTILIZATION } } },
];

const spec = own('HorizontalPodAutoscalerSpec', 'What is scaled, between which bounds, by which numbers.', {
  scaleTargetRef: field(1, 'The object whose scale is set: a Deployment, a ReplicaSet, a StatefulSet.', req(reference)),
  minReplicas: field(
    2,
    'The fewest replicas; 0 needs the gate HPAScaleToZero and a metric of an object or from outside.',
    filled(ptr(int32), 1),
  ),
  maxReplicas: field(3, 'The most replicas.', req(int32)),
  metrics: field(
    4,
    'What it goes by; the one that asks for most decides. Without any: 80 % of the CPU that is requested.',
    filled(atomicList(metricSpec), DEFAULT_METRICS),
  ),
  behavior: field(5, 'How fast it may go up and down.', behavior),
});

const condition = own('HorizontalPodAutoscalerCondition', 'How it stands with the autoscaler.', {
  type: field(
    1,
    'What is judged: AbleToScale, ScalingActive or ScalingLimited. One condition a type.',
    req(str('v2.HorizontalPodAutoscalerConditionType')),
  ),
  status: field(2, 'True, False or Unknown.', req(str('ConditionStatus'))),
  lastTransitionTime: field(3, 'When the status last changed from one value to another.', always(time)),
  reason: field(4, 'Why, as one word in CamelCase, for programs.', str()),
  message: field(5, 'Why, as a sentence, for people.', str()),
});
export type ScalerCondition = Infer<typeof condition>;

const status = own('HorizontalPodAutoscalerStatus', 'What it found and did when it looked last.', {
  observedGeneration: field(1, 'The newest generation that it has looked at.', ptr(int64)),
  lastScaleTime: field(2, 'When it last changed the number of replicas.', time),
  currentReplicas: field(3, 'How many replicas there were.', int32),
  desiredReplicas: field(4, 'How many it wanted.', req(int32)),
  currentMetrics: field(5, 'What the numbers were.', published(atomicList(metricStatus))),
  conditions: field(6, 'Whether it can scale, whether it has numbers to go by, and whether a bound holds it.', mapList(condition, 'type')),
});
export type ScalerStatus = Infer<typeof status>;

export const horizontalPodAutoscalerSchema = own(
  'HorizontalPodAutoscaler',
  'Sets how many replicas a workload has, by what its pods use.',
  { ...typeMeta, spec: field(2, always(spec)), status: field(3, always(status)) },
);
/** A stored HorizontalPodAutoscaler: defaulted, validated and frozen. */
export type HorizontalPodAutoscaler = ObjectOf<'HorizontalPodAutoscaler', Infer<typeof horizontalPodAutoscalerSchema>>;
