/** The shape of a HorizontalPodAutoscaler: its fields, their types and the defaults that need nothing but the object. */
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

/** Structs of this group are in a package called v2. */
const own = <const F extends Fieldset>(go: string, fields: F, flags: { readonly complete?: Complete } = {}) =>
  obj(go, fields, { ...flags, inPackage: 'v2' });

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
    oneOf(req(str('v2.MetricTargetType')), ['AverageValue', 'Utilization', 'Value']),
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

/** The five sources of a metric; what is wanted and what is found differ in one member. */
const sources = <const W extends Schema, const N extends string>(suffix: string, name: N, wanted: W) => {
  const measured = { [name]: always(wanted) } as { readonly [K in N]: W & { readonly always: true } };
  return {
    object: own(`ObjectMetric${suffix}`, { describedObject: always(reference), ...measured, metric: always(identifier) }),
    pods: own(`PodsMetric${suffix}`, { metric: always(identifier), ...measured }),
    resource: own(`ResourceMetric${suffix}`, { name: req(str('ResourceName')), ...measured }),
    containerResource: own(`ContainerResourceMetric${suffix}`, { name: req(str('ResourceName')), ...measured, container: req(str()) }),
    external: own(`ExternalMetric${suffix}`, { metric: always(identifier), ...measured }),
  };
};

const metricSpec = own('MetricSpec', 'One number to go by.', {
  type: field(
    1,
    'Which of the other members is filled.',
    oneOf(req(str('v2.MetricSourceType')), ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']),
  ),
  ...sources('Source', 'target', target),
});
export type MetricSpec = Infer<typeof metricSpec>;
const metricStatus = own('MetricStatus', 'One number as it was when it was looked at last.', {
  type: field(
    1,
    'Which of the other members is filled.',
    oneOf(req(str('v2.MetricSourceType')), ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']),
  ),
  ...sources('Status', 'current', valueStatus),
});
export type MetricStatus = Infer<typeof metricStatus>;

const policy = own('HPAScalingPolicy', 'How much may change in a time.', {
  type: field(
    1,
    'Whether value is a number of pods or a percentage of them.',
    oneOf(req(str('v2.HPAScalingPolicyType')), ['Percent', 'Pods']),
  ),
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
    oneOf(ptr(str('v2.ScalingPolicySelect')), ['Disabled', 'Max', 'Min']),
  ),
  policies: field(2, 'How much may change in a time.', ptr(atomicList(policy))),
});
export type ScalingRules = Infer<typeof rules>;

const PERCENT = { type: 'Percent', value: 100, periodSeconds: 15 };
/** What applies in either direction where nothing is said. Source: v1.24 pkg/apis/autoscaling/v2/defaults.go. */
const UP = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }, PERCENT] };
const DOWN = { selectPolicy: 'Max', policies: [PERCENT] };

type Fields = Readonly<Record<string, unknown>>;

/** A list of policies that was sent empty stays so, and is refused. */
function filledWith(given: unknown, standard: Fields): Fields {
  if (typeof given !== 'object' || given === null) return standard;
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const { policies, ...others } = standard;
  return { ...others, ...('policies' in (asGiven(given) as Fields) ? {} : { policies }), ...Object.fromEntries(said) };
}

/** Whoever says something of one direction gets the standard of all that is not said. */
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
/** An object of kind HorizontalPodAutoscaler, as the store holds it: defaulted, validated and frozen. */
export type HorizontalPodAutoscaler = ObjectOf<'HorizontalPodAutoscaler', Infer<typeof horizontalPodAutoscalerSchema>>;
