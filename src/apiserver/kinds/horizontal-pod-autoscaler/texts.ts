/** Descriptions of HorizontalPodAutoscalers and their fields, in our words. */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';
import { POLICY_TYPES, SELECT_POLICIES, SOURCE_TYPES, TARGET_TYPES } from './rules.ts';

const SOURCES = {
  object: 'A metric of one object, such as the request rate of an Ingress.',
  pods: 'A metric of each pod, averaged over the pods.',
  resource: 'The usage of a resource by the pods, such as cpu.',
  containerResource: 'The usage of a resource by one container of each pod. Needs the gate HPAContainerMetrics.',
  external: 'A metric from outside the cluster, such as the length of a queue.',
};
const TYPE = 'Which of the other members is set.';
const NAME = 'Name of the resource.';
const [WANTED, FOUND] = ['The target value.', 'The current value.'];
const NAMED = 'The identity of the metric.';

/** Descriptions of a metric source, in spec or status. */
const sourceTexts = (suffix: string, measured: string, text: string): Texts => ({
  [`ObjectMetric${suffix}`]: { '': SOURCES.object, describedObject: 'The object that it describes.', [measured]: text, metric: NAMED },
  [`PodsMetric${suffix}`]: { '': SOURCES.pods, metric: NAMED, [measured]: text },
  [`ResourceMetric${suffix}`]: { '': SOURCES.resource, name: NAME, [measured]: text },
  [`ContainerResourceMetric${suffix}`]: {
    '': SOURCES.containerResource,
    name: NAME,
    container: 'Name of the container.',
    [measured]: text,
  },
  [`ExternalMetric${suffix}`]: { '': SOURCES.external, metric: NAMED, [measured]: text },
});

export const horizontalPodAutoscalerTexts: Texts = {
  HorizontalPodAutoscaler: { '': 'Scales a workload by metrics of its pods.' },
  HorizontalPodAutoscalerSpec: {
    '': 'The scaled object, the bounds, and the metrics.',
    scaleTargetRef: 'The object whose scale is set: a Deployment, a ReplicaSet, a StatefulSet.',
    minReplicas: 'The minimum number of replicas; 0 needs the gate HPAScaleToZero and an object or external metric.',
    maxReplicas: 'The maximum number of replicas.',
    metrics: 'The metrics; the one with the highest result decides. Default: 80 % of the requested CPU.',
    behavior: 'Limits of the scaling speed.',
  },
  CrossVersionObjectReference: {
    '': 'An object of any kind in the same namespace.',
    kind: 'Its kind.',
    name: 'Its name.',
    apiVersion: 'The version of its API.',
  },
  MetricSpec: { '': 'One metric.', type: TYPE, ...SOURCES },
  MetricStatus: { '': 'One metric at its last evaluation.', type: TYPE, ...SOURCES },
  ...sourceTexts('Source', 'target', WANTED),
  ...sourceTexts('Status', 'current', FOUND),
  MetricIdentifier: { '': NAMED, name: 'Its name.', selector: 'A selector by labels of the metrics API, for several metrics of one name.' },
  MetricTarget: {
    '': WANTED,
    type: 'Utilization: a share of the requests. Value: the value itself. AverageValue: the value divided by the number of pods.',
    value: 'The value itself.',
    averageValue: 'The value for each pod.',
    averageUtilization: 'Percent of the requests of the pods.',
  },
  MetricValueStatus: {
    '': FOUND,
    value: 'The value itself.',
    averageValue: 'The value for each pod.',
    averageUtilization: 'Percent of the requests of the pods.',
  },
  HorizontalPodAutoscalerBehavior: {
    '': 'Limits of the scaling speed.',
    scaleUp: 'Scaling up. Default: at once, by 4 pods or to the double in 15 seconds, whichever is more.',
    scaleDown: 'Scaling down. Default: to the highest recommendation of the last 5 minutes.',
  },
  HPAScalingRules: {
    '': 'Limits of the scaling speed in one direction.',
    stabilizationWindowSeconds: 'The time in seconds over which the most cautious recommendation is used. 0 to 3600.',
    selectPolicy:
      'Max: the policy with the largest change decides. Min: the one with the smallest change. Disabled: no scaling in this direction.',
    policies: 'The allowed change in a period.',
  },
  HPAScalingPolicy: {
    '': 'The allowed change in a period.',
    type: 'Whether value is a number of pods or a percentage of them.',
    value: 'The allowed change. More than 0.',
    periodSeconds: 'The period in seconds. 1 to 1800.',
  },
  HorizontalPodAutoscalerStatus: {
    '': 'The result of the last evaluation.',
    observedGeneration: 'The latest generation that the controller has processed.',
    lastScaleTime: 'When it last changed the number of replicas.',
    currentReplicas: 'The observed number of replicas.',
    desiredReplicas: 'The desired number of replicas.',
    currentMetrics: 'The observed metrics.',
    conditions: 'Whether it can scale, has metrics, and is limited by a bound.',
  },
  HorizontalPodAutoscalerCondition: conditionTexts('A condition of the autoscaler.', 'AbleToScale, ScalingActive or ScalingLimited'),
};

/** Fields with a closed set of values, sorted. */
export const horizontalPodAutoscalerValues: Values = {
  MetricSpec: { type: SOURCE_TYPES },
  MetricStatus: { type: SOURCE_TYPES },
  MetricTarget: { type: TARGET_TYPES },
  HPAScalingRules: { selectPolicy: SELECT_POLICIES },
  HPAScalingPolicy: { type: POLICY_TYPES },
};
