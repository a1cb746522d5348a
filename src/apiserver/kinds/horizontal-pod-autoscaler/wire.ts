/**
 * Protobuf field numbers of HorizontalPodAutoscalers, by struct. Source: v1.24 staging/src/k8s.io/api autoscaling/v2 generated.proto.
 */
import type { Wire } from '../../machinery/index.ts';

const METRIC = 'type=1 object=2 pods=3 resource=4 external=5 containerResource=7';

export const horizontalPodAutoscalerWire: Wire = {
  HorizontalPodAutoscaler: 'metadata=1 spec=2 status=3',
  HorizontalPodAutoscalerSpec: 'scaleTargetRef=1 minReplicas=2 maxReplicas=3 metrics=4 behavior=5',
  HorizontalPodAutoscalerStatus: 'observedGeneration=1 lastScaleTime=2 currentReplicas=3 desiredReplicas=4 currentMetrics=5 conditions=6',
  HorizontalPodAutoscalerCondition: 'type=1 status=2 lastTransitionTime=3 reason=4 message=5',
  HorizontalPodAutoscalerBehavior: 'scaleUp=1 scaleDown=2',
  HPAScalingRules: 'selectPolicy=1 policies=2 stabilizationWindowSeconds=3',
  HPAScalingPolicy: 'type=1 value=2 periodSeconds=3',
  CrossVersionObjectReference: 'kind=1 name=2 apiVersion=3',
  MetricSpec: METRIC,
  MetricStatus: METRIC,
  MetricIdentifier: 'name=1 selector=2',
  MetricTarget: 'type=1 value=2 averageValue=3 averageUtilization=4',
  MetricValueStatus: 'value=1 averageValue=2 averageUtilization=3',
  ObjectMetricSource: 'describedObject=1 target=2 metric=3',
  ObjectMetricStatus: 'metric=1 current=2 describedObject=3',
  PodsMetricSource: 'metric=1 target=2',
  PodsMetricStatus: 'metric=1 current=2',
  ResourceMetricSource: 'name=1 target=2',
  ResourceMetricStatus: 'name=1 current=2',
  ContainerResourceMetricSource: 'name=1 target=2 container=3',
  ContainerResourceMetricStatus: 'name=1 current=2 container=3',
  ExternalMetricSource: 'metric=1 target=2',
  ExternalMetricStatus: 'metric=1 current=2',
};
