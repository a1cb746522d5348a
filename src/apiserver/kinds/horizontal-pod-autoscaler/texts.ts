/** Descriptions of HorizontalPodAutoscalers and their fields, in our words. */
import { conditionTexts, type Texts, type Values } from '../../machinery/index.ts';
import { POLICY_TYPES, SELECT_POLICIES, SOURCE_TYPES, TARGET_TYPES } from './rules.ts';

const SOURCES = {
  object: 'A number that describes one object, such as the requests that an Ingress gets.',
  pods: 'A number that each of the pods has; its average counts.',
  resource: 'How much of a resource the pods use, such as cpu.',
  containerResource: 'How much of a resource one container of each pod uses. Needs the gate HPAContainerMetrics.',
  external: 'A number from outside the cluster, such as the length of a queue.',
};
const TYPE = 'Which of the other members is filled.';
const NAME = 'Name of the resource.';
const [WANTED, FOUND] = ['What it should be.', 'What it is.'];
const NAMED = 'Which number is meant.';

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
  HorizontalPodAutoscaler: { '': 'Sets how many replicas a workload has, by what its pods use.' },
  HorizontalPodAutoscalerSpec: {
    '': 'What is scaled, between which bounds, by which numbers.',
    scaleTargetRef: 'The object whose scale is set: a Deployment, a ReplicaSet, a StatefulSet.',
    minReplicas: 'The fewest replicas; 0 needs the gate HPAScaleToZero and a metric of an object or from outside.',
    maxReplicas: 'The most replicas.',
    metrics: 'What it goes by; the one that asks for most decides. Without any: 80 % of the CPU that is requested.',
    behavior: 'How fast it may go up and down.',
  },
  CrossVersionObjectReference: {
    '': 'An object of any kind in the same namespace.',
    kind: 'Its kind.',
    name: 'Its name.',
    apiVersion: 'The version of its API.',
  },
  MetricSpec: { '': 'One number to go by.', type: TYPE, ...SOURCES },
  MetricStatus: { '': 'One number as it was when it was looked at last.', type: TYPE, ...SOURCES },
  ...sourceTexts('Source', 'target', WANTED),
  ...sourceTexts('Status', 'current', FOUND),
  MetricIdentifier: { '': NAMED, name: 'Its name.', selector: 'Which of several of that name, by labels that the metrics API knows.' },
  MetricTarget: {
    '': WANTED,
    type: 'Utilization: a share of what is requested. Value: the number itself. AverageValue: the number divided by the pods.',
    value: 'The number itself.',
    averageValue: 'The number for each pod.',
    averageUtilization: 'Percent of what the pods request.',
  },
  MetricValueStatus: {
    '': FOUND,
    value: 'The number itself.',
    averageValue: 'The number for each pod.',
    averageUtilization: 'Percent of what the pods request.',
  },
  HorizontalPodAutoscalerBehavior: {
    '': 'How fast it may go up and down.',
    scaleUp: 'Upwards. Without: at once, by 4 pods or to the double in 15 seconds, whichever is more.',
    scaleDown: 'Downwards. Without: to the greatest number asked for in the last 5 minutes.',
  },
  HPAScalingRules: {
    '': 'How fast it may go in one direction.',
    stabilizationWindowSeconds: 'So far back it looks at what it asked for, and takes the most cautious of it. 0 to 3600.',
    selectPolicy: 'Max: the policy that allows most decides. Min: the one that allows least. Disabled: it does not go that way.',
    policies: 'How much may change in a time.',
  },
  HPAScalingPolicy: {
    '': 'How much may change in a time.',
    type: 'Whether value is a number of pods or a percentage of them.',
    value: 'How much may change. More than 0.',
    periodSeconds: 'In how long. 1 to 1800.',
  },
  HorizontalPodAutoscalerStatus: {
    '': 'What it found and did when it looked last.',
    observedGeneration: 'The newest generation that it has looked at.',
    lastScaleTime: 'When it last changed the number of replicas.',
    currentReplicas: 'How many replicas there were.',
    desiredReplicas: 'How many it wanted.',
    currentMetrics: 'What the numbers were.',
    conditions: 'Whether it can scale, whether it has numbers to go by, and whether a bound holds it.',
  },
  HorizontalPodAutoscalerCondition: conditionTexts('How it stands with the autoscaler.', 'AbleToScale, ScalingActive or ScalingLimited'),
};

/** Fields with a closed set of values, sorted. */
export const horizontalPodAutoscalerValues: Values = {
  MetricSpec: { type: SOURCE_TYPES },
  MetricStatus: { type: SOURCE_TYPES },
  MetricTarget: { type: TARGET_TYPES },
  HPAScalingRules: { selectPolicy: SELECT_POLICIES },
  HPAScalingPolicy: { type: POLICY_TYPES },
};
