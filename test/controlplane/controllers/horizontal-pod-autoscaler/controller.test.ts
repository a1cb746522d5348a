/** One evaluation of an autoscaler: what it does before any metric is read, and when the next one is due. */
import { describe, expect, it } from 'vitest';
import { kindsFor, type HorizontalPodAutoscaler, type ScalerCondition } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor, type ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { horizontalPodAutoscaler } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/controller.ts';
import { meterFor, reportingPods } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/metrics.ts';
import { setCondition } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/target.ts';
import { createCache, type Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, AT } from '../../../support/objects.ts';
import { phrase, resume, statusIn } from '../../../support/reconcile.ts';

const controller = horizontalPodAutoscaler(kindsFor(namesFor('k8s.io')));
const AUTOSCALER = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: AT },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
    minReplicas: 2,
    maxReplicas: 5,
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
  },
  status: { desiredReplicas: 0, currentMetrics: null },
} as unknown as HorizontalPodAutoscaler;

/** The outcome when the server has a target with so many replicas, without a metrics server. */
function afterHearing(replicas: number): Outcome {
  const object: ApiObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd', namespace: 'default', uid: 'uid-d', resourceVersion: '7', creationTimestamp: AT },
    spec: { replicas, selector: { matchLabels: { app: 'web' } } },
    status: { replicas },
  };
  const write = { op: 'get', kind: 'Deployment', namespace: 'default', name: 'd' } as const;
  return resume(controller, { objects: [AUTOSCALER], now: at(60), memory: { dueAt: at(60) } }, { write, object });
}
const condition = (outcome: Outcome, type: string): ScalerCondition | undefined =>
  statusIn<HorizontalPodAutoscaler['status']>(outcome)?.conditions?.find((each) => each.type === type);

describe('an autoscaler', () => {
  it.each([
    ['more than its most', 9, 5, 'Current number of replicas above Spec.MaxReplicas'],
    ['fewer than its least', 1, 2, 'Current number of replicas below Spec.MinReplicas'],
  ])('that finds %s changes that without reading metrics', (_, there, wanted, reason) => {
    const outcome = afterHearing(there);
    expect(outcome.writes[0]).toMatchObject({
      op: 'patch',
      subresource: 'scale',
      patch: { metadata: { resourceVersion: '7' }, spec: { replicas: wanted } },
      then: { reason: 'SuccessfulRescale', message: `New size: ${wanted}; reason: ${reason}` },
    });
    expect(statusIn(outcome)).toMatchObject({ currentReplicas: there, desiredReplicas: wanted, lastScaleTime: formatTime(at(60)) });
  });

  it('ignores a target that a user has scaled to 0', () => {
    const outcome = afterHearing(0);
    expect(outcome.writes.map(phrase)).toEqual(['update HorizontalPodAutoscaler/status h']);
    expect(condition(outcome, 'ScalingActive')).toMatchObject({ status: 'False', reason: 'ScalingDisabled' });
  });

  it('changes nothing without a metrics server, with a condition, and retries after 15 s', () => {
    const outcome = afterHearing(3);
    expect(outcome.writes.map(phrase)).not.toContain('patch Deployment d');
    expect(condition(outcome, 'ScalingActive')).toMatchObject({ status: 'False', reason: 'FailedGetResourceMetric' });
    expect(outcome).toMatchObject({ wakeAt: at(75), memory: { dueAt: at(75) }, background: true });
  });
});

it('keeps the transition time of a condition while only its reason changes', () => {
  const reported = { reason: 'A', message: 'a' };
  const first = setCondition([], 'AbleToScale', true, reported, at(0));
  const again = setCondition(first, 'AbleToScale', true, { reason: 'B', message: 'b' }, at(15));
  const turned = setCondition(again, 'AbleToScale', false, reported, at(30));
  expect([first, again, turned].map(([one]) => [one?.reason, one?.lastTransitionTime])).toEqual([
    ['A', formatTime(at(0))],
    ['B', formatTime(at(0))],
    ['A', formatTime(at(30))],
  ]);
});

it('knows without a visit to every pod whether any reports its usage', () => {
  const cache = createCache();
  cache.open('Pod');
  cache.addAggregate(reportingPods);
  const pod = (name: string, annotations: Readonly<Record<string, string>> | undefined): ApiObject =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'other', uid: name, ...(annotations && { annotations }) },
    }) as ApiObject;
  const view = {
    ...cache,
    list: () => {
      throw new Error('all pods are listed');
    },
  };
  cache.set('Pod', 'other/silent', pod('silent', undefined));
  expect(meterFor(view, {}, at(0))).toBeUndefined();
  cache.set('Pod', 'other/talks', pod('talks', { 'sim.orch.io/cpu': '1' }));
  expect(meterFor(view, {}, at(0))).toBeDefined();
  cache.set('Pod', 'other/talks', undefined);
  expect(meterFor(view, {}, at(0))).toBeUndefined();
});
