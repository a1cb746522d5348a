/** Whole evaluations of an autoscaler: the read of its target, and all that follows from it. */
import { describe, expect, it } from 'vitest';
import { at, AT } from '../../../support/objects.ts';
import { cpu, pod, lines } from './whole.ts';

describe('an evaluation', () => {
  const calm = { desiredReplicas: 2, currentReplicas: 2, lastScaleTime: AT };
  const both = (used: number) => [pod('a', used), pod('b', used)];
  const rps = { type: 'Pods', pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } } };
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'without a target is noted',
      () => lines(undefined),
      [
        'its target cannot be scaled: deployments/scale.apps "d" not found',
        'event Warning FailedGetScale of HorizontalPodAutoscaler h: deployments/scale.apps "d" not found',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=False, lastTransitionTime: 00:01:00, reason: FailedGetScale, message: the HPA controller was unable to get the target\'s current scale: deployments/scale.apps \\"d\\" not found"]}}',
        'memory: {dueAt:@75}',
      ],
    ],
    [
      'of a target of no size is off',
      () => lines(0),
      [
        'its target has 0 replicas, which disables autoscaling',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededGetScale, message: the HPA controller was able to get the target\'s current scale","ScalingActive=False, lastTransitionTime: 00:01:00, reason: ScalingDisabled, message: scaling is disabled since the replica count of the target is zero"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:0,at:@60}]}',
      ],
    ],
    [
      'of a target of no size goes on where that is allowed',
      () => lines(0, { spec: { minReplicas: 0 } }),
      [
        'no metric is available: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io) (describe usage in cluster.usage of the scenario, or in the pod annotations sim.orch.io/cpu and sim.orch.io/memory)',
        'event Warning FailedGetResourceMetric of HorizontalPodAutoscaler h: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
        'event Warning FailedComputeMetricsReplicas of HorizontalPodAutoscaler h: invalid metrics (1 invalid out of 1), first error is: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
        'update HorizontalPodAutoscaler/status h {status:{desiredReplicas:0,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededGetScale, message: the HPA controller was able to get the target\'s current scale","ScalingActive=False, lastTransitionTime: 00:01:00, reason: FailedGetResourceMetric, message: the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:0,at:@60}]}',
      ],
    ],
    [
      'above the greatest size',
      () => lines(11),
      [
        'Current number of replicas above Spec.MaxReplicas: scale from 11 to 10',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:10}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 10; reason: Current number of replicas above Spec.MaxReplicas"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 10; reason: Current number of replicas above Spec.MaxReplicas; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:11,desiredReplicas:10,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 10"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:11,at:@60}]}',
      ],
    ],
    [
      'below the least size',
      () => lines(1, { spec: { minReplicas: 2 } }),
      [
        'Current number of replicas below Spec.MinReplicas: scale from 1 to 2',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:2}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 2; reason: Current number of replicas below Spec.MinReplicas"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 2; reason: Current number of replicas below Spec.MinReplicas; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:1,desiredReplicas:2,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 2"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:1,at:@60}]}',
      ],
    ],
    [
      'of usage near its target stays',
      () => lines(2, { status: calm, pods: both(52) }),
      [
        'its metrics recommend the current count',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:52m,averageUtilization:52}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: ReadyForNewScale, message: recommended size matches current size","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=False, lastTransitionTime: 00:01:00, reason: DesiredWithinRange, message: the desired count is within the acceptable range"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60},{replicas:2,at:@60}]}',
      ],
    ],
    [
      'of more usage scales up',
      () => lines(2, { status: calm, pods: both(100) }),
      [
        'cpu resource utilization (percentage of request) above target: scale from 2 to 4',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:4}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 4; reason: cpu resource utilization (percentage of request) above target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 4; reason: cpu resource utilization (percentage of request) above target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:2,desiredReplicas:4,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:100m,averageUtilization:100}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 4","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=False, lastTransitionTime: 00:01:00, reason: DesiredWithinRange, message: the desired count is within the acceptable range"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60},{replicas:4,at:@60}]}',
      ],
    ],
    [
      'of more usage is limited by the greatest size',
      () => lines(2, { spec: { maxReplicas: 3 }, status: calm, pods: both(100) }),
      [
        'cpu resource utilization (percentage of request) above target: scale from 2 to 3',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:3}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 3; reason: cpu resource utilization (percentage of request) above target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 3; reason: cpu resource utilization (percentage of request) above target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:2,desiredReplicas:3,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:100m,averageUtilization:100}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 3","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=True, lastTransitionTime: 00:01:00, reason: TooManyReplicas, message: the desired replica count is more than the maximum replica count"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60},{replicas:4,at:@60}]}',
      ],
    ],
    [
      'of much more usage is limited by its rate',
      () => lines(2, { status: calm, pods: both(1000) }),
      [
        'cpu resource utilization (percentage of request) above target: scale from 2 to 4',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:4}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 4; reason: cpu resource utilization (percentage of request) above target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 4; reason: cpu resource utilization (percentage of request) above target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:2,desiredReplicas:4,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:1,averageUtilization:1000}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 4","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=True, lastTransitionTime: 00:01:00, reason: ScaleUpLimit, message: the desired replica count is increasing faster than the maximum scale rate"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60},{replicas:40,at:@60}]}',
      ],
    ],
    [
      'of less usage waits for its window',
      () => lines(2, { status: calm, pods: both(10), memory: { dueAt: at(60), recommendations: [{ replicas: 2, at: at(30) }] } }),
      [
        'its metrics recommend 1, but the stabilization window of 5m keeps the highest recommendation in it, 2',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:10m,averageUtilization:10}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: ScaleDownStabilized, message: recent recommendations were higher than current one, applying the highest recent recommendation","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=False, lastTransitionTime: 00:01:00, reason: DesiredWithinRange, message: the desired count is within the acceptable range"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@30},{replicas:1,at:@60}]}',
      ],
    ],
    [
      'of less usage scales down after its window',
      () => lines(2, { status: calm, pods: both(10), memory: { dueAt: at(60), recommendations: [{ replicas: 2, at: at(-240) }] } }),
      [
        'All metrics below target: scale from 2 to 1',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:1}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 1; reason: All metrics below target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 1; reason: All metrics below target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:2,desiredReplicas:1,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:10m,averageUtilization:10}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 1","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=False, lastTransitionTime: 00:01:00, reason: DesiredWithinRange, message: the desired count is within the acceptable range"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:1,at:@60}]}',
      ],
    ],
    [
      'of less usage keeps the least size',
      () => lines(2, { spec: { minReplicas: 2 }, status: calm, pods: both(10), memory: { dueAt: at(60), recommendations: [] } }),
      [
        'its metrics recommend 1, but the desired replica count is less than the minimum replica count',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:10m,averageUtilization:10}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: ReadyForNewScale, message: recommended size matches current size","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=True, lastTransitionTime: 00:01:00, reason: TooFewReplicas, message: the desired replica count is less than the minimum replica count"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:1,at:@60}]}',
      ],
    ],
    [
      'of less usage than the highest within rules',
      () =>
        lines(5, {
          spec: {
            behavior: {
              scaleUp: { policies: [] },
              scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
            },
          },
          status: calm,
          pods: both(10),
          memory: { dueAt: at(60), recommendations: [], downs: [{ replicas: 1, at: at(-1) }] },
        }),
      [
        'All metrics below target: scale from 5 to 4',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:4}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 4; reason: All metrics below target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 4; reason: All metrics below target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:5,desiredReplicas:4,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:10m,averageUtilization:10}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 4","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=True, lastTransitionTime: 00:01:00, reason: ScaleDownLimit, message: the desired replica count is decreasing faster than the maximum scale rate"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:1,at:@60}],downs:[{replicas:1,at:@60}]}',
      ],
    ],
    [
      'without usage is noted, with a remedy',
      () => lines(2, { status: calm, pods: [pod('a')] }),
      [
        'no metric is available: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io) (describe usage in cluster.usage of the scenario, or in the pod annotations sim.orch.io/cpu and sim.orch.io/memory)',
        'event Warning FailedGetResourceMetric of HorizontalPodAutoscaler h: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
        'event Warning FailedComputeMetricsReplicas of HorizontalPodAutoscaler h: invalid metrics (1 invalid out of 1), first error is: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededGetScale, message: the HPA controller was able to get the target\'s current scale","ScalingActive=False, lastTransitionTime: 00:01:00, reason: FailedGetResourceMetric, message: the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60}]}',
      ],
    ],
    [
      'of pods that say nothing is noted',
      () => lines(2, { status: calm, pods: [pod('a', 50, '0'), pod('b', 50, '0')] }),
      [
        'no metric is available: failed to get cpu utilization: no metrics returned matched known pods',
        'event Warning FailedGetResourceMetric of HorizontalPodAutoscaler h: failed to get cpu utilization: no metrics returned matched known pods',
        'event Warning FailedComputeMetricsReplicas of HorizontalPodAutoscaler h: invalid metrics (1 invalid out of 1), first error is: failed to get cpu utilization: no metrics returned matched known pods',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededGetScale, message: the HPA controller was able to get the target\'s current scale","ScalingActive=False, lastTransitionTime: 00:01:00, reason: FailedGetResourceMetric, message: the HPA was unable to compute the replica count: failed to get cpu utilization: no metrics returned matched known pods"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60}]}',
      ],
    ],
    [
      'with one metric of two missing scales up',
      () => lines(2, { spec: { metrics: [rps, cpu] }, status: calm, pods: both(100) }),
      [
        'cpu resource utilization (percentage of request) above target: scale from 2 to 4',
        'event Warning FailedGetPodsMetric of HorizontalPodAutoscaler h: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:4}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 4; reason: cpu resource utilization (percentage of request) above target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 4; reason: cpu resource utilization (percentage of request) above target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:2,desiredReplicas:4,currentMetrics:[{type:""},{type:Resource,resource:{name:cpu,current:{averageValue:100m,averageUtilization:100}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 4","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)","ScalingLimited=False, lastTransitionTime: 00:01:00, reason: DesiredWithinRange, message: the desired count is within the acceptable range"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60},{replicas:4,at:@60}]}',
      ],
    ],
    [
      'with one metric of two missing does not scale down',
      () => lines(2, { spec: { metrics: [rps, cpu] }, status: calm, pods: both(10) }),
      [
        'no metric is available: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered (describe metrics in cluster.metrics of the scenario)',
        'event Warning FailedGetPodsMetric of HorizontalPodAutoscaler h: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
        'event Warning FailedComputeMetricsReplicas of HorizontalPodAutoscaler h: invalid metrics (1 invalid out of 2), first error is: failed to get pods metric value: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededGetScale, message: the HPA controller was able to get the target\'s current scale","ScalingActive=False, lastTransitionTime: 00:01:00, reason: FailedGetPodsMetric, message: the HPA was unable to compute the replica count: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60}]}',
      ],
    ],
    [
      'takes the greater of two metrics',
      () =>
        lines(2, {
          spec: { metrics: [cpu, { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '20m' } } }] },
          status: calm,
          pods: both(100),
        }),
      [
        'cpu resource above target: scale from 2 to 4',
        'patch Deployment d {metadata:{resourceVersion:7},spec:{replicas:4}} {patchType:merge,subresource:scale,then:{about:"HorizontalPodAutoscaler h",type:Normal,reason:SuccessfulRescale,message:"New size: 4; reason: cpu resource above target"},otherwise:{about:"HorizontalPodAutoscaler h",type:Warning,reason:FailedRescale,message:"New size: 4; reason: cpu resource above target; error: {error}"}}',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:01:00,currentReplicas:2,desiredReplicas:4,currentMetrics:[{type:Resource,resource:{name:cpu,current:{averageValue:100m,averageUtilization:100}}},{type:Resource,resource:{name:cpu,current:{averageValue:100m}}}],conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededRescale, message: the HPA controller was able to update the target scale to 4","ScalingActive=True, lastTransitionTime: 00:01:00, reason: ValidMetricFound, message: the HPA was able to successfully calculate a replica count from cpu resource","ScalingLimited=True, lastTransitionTime: 00:01:00, reason: ScaleUpLimit, message: the desired replica count is increasing faster than the maximum scale rate"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60},{replicas:10,at:@60}]}',
      ],
    ],
    [
      'without an adapter is noted, with a remedy',
      () => lines(2, { spec: { metrics: [rps] }, status: calm, pods: both(10) }),
      [
        'no metric is available: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered (describe metrics in cluster.metrics of the scenario)',
        'event Warning FailedGetPodsMetric of HorizontalPodAutoscaler h: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
        'event Warning FailedComputeMetricsReplicas of HorizontalPodAutoscaler h: invalid metrics (1 invalid out of 1), first error is: failed to get pods metric value: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
        'update HorizontalPodAutoscaler/status h {status:{lastScaleTime:00:00:00,currentReplicas:2,desiredReplicas:2,currentMetrics:null,conditions:["AbleToScale=True, lastTransitionTime: 00:01:00, reason: SucceededGetScale, message: the HPA controller was able to get the target\'s current scale","ScalingActive=False, lastTransitionTime: 00:01:00, reason: FailedGetPodsMetric, message: the HPA was unable to compute the replica count: unable to get metric rps: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered"]}}',
        'memory: {dueAt:@75,recommendations:[{replicas:2,at:@60}]}',
      ],
    ],
  ])('%s', (_, decided, expected) => {
    expect(decided()).toEqual(expected);
  });
});
