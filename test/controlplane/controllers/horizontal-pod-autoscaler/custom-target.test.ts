/** An autoscaler of a custom resource whose scale does not say which pods are its own, and what it does when it is gone. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { horizontalPodAutoscaler } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/controller.ts';
import { at } from '../../../support/objects.ts';
import { living } from '../lives.ts';
import { controllerWith, cpu, scaler } from './whole.ts';

const GROUP = 'example.com';
const definition = (scale: object) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  metadata: { name: `odds.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { plural: 'odds', kind: 'Odd' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size', ...scale } },
      },
    ],
  },
});

/** An autoscaler after 40 s: its status, and the events about it with their counts. */
function watched(scale: object, labels: string, status: object = {}) {
  const { cluster, make, patch, pass } = living([horizontalPodAutoscaler(kindsFor(namesFor('k8s.io')))]);
  make('CustomResourceDefinition', `odds.${GROUP}`, definition(scale));
  pass(2_000);
  make('Odd', 'o', { apiVersion: `${GROUP}/v1`, spec: { size: 3 } }, 'default');
  patch('Odd', 'o', { status: { size: 3, labels } }, 'status', 'default');
  const scaleTargetRef = { apiVersion: `${GROUP}/v1`, kind: 'Odd', name: 'o' };
  const spec = { scaleTargetRef, maxReplicas: 5, metrics: [cpu] };
  make('HorizontalPodAutoscaler', 'h', { apiVersion: 'autoscaling/v2', spec }, 'default');
  patch('HorizontalPodAutoscaler', 'h', { status }, 'status', 'default');
  pass(40_000);
  const events = [...cluster.store.values('Event')].map((event) => {
    const { type, reason, message, count } = event as unknown as Readonly<Record<string, string>>;
    return `${count} ${type} ${reason}: ${message}`;
  });
  return { status: cluster.store.get('HorizontalPodAutoscaler', 'default/h')?.status, events };
}

describe('an autoscaler of a custom resource', () => {
  const METRICS = [{ type: 'Resource', resource: { name: 'cpu', current: { averageValue: '1m', averageUtilization: 1 } } }];
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastTransitionTime: '2024-03-01T00:00:17Z',
    reason,
    message,
  });
  const after = (message: string, desiredReplicas: number, currentMetrics: object | null) => ({
    currentReplicas: 3,
    desiredReplicas,
    currentMetrics,
    conditions: [
      condition('AbleToScale', 'True', 'SucceededGetScale', "the HPA controller was able to get the target's current scale"),
      condition('ScalingActive', 'False', 'InvalidSelector', message),
    ],
  });

  it('needs a selector in its scale, and keeps its last recommendation and metrics without one', () => {
    expect(watched({}, 'a=b', { desiredReplicas: 4, currentMetrics: METRICS })).toEqual({
      status: after("the HPA target's scale is missing a selector", 4, METRICS),
      events: ['2 Warning SelectorRequired: selector is required', '2 Warning FailedComputeMetricsReplicas: selector is required'],
    });
  });

  it('needs a selector that can be parsed', () => {
    const message =
      "couldn't convert selector into a corresponding internal selector object: unable to parse requirement: found '', expected: ',', ')' or identifier";
    expect(watched({ labelSelectorPath: '.status.labels' }, 'a in (')).toEqual({
      status: after(message, 0, null),
      events: [`2 Warning InvalidSelector: ${message}`, `2 Warning FailedComputeMetricsReplicas: ${message}`],
    });
  });
});

it('an autoscaler that is gone is forgotten, also while its target is read', () => {
  const gone = { why: 'it is gone', writes: [], memory: null };
  const answer = { write: { op: 'get', kind: 'Deployment', name: 'd' }, object: undefined } as const;
  const { reconcileAbsent, resume } = controllerWith();
  const self = scaler();
  const input = (more: object) => ({ now: at(60), elapsed: at(60), wall: at(60), key: 'default/h', ...more }) as never;
  expect([reconcileAbsent?.(input({})), resume?.(input({ memory: { dueAt: at(60) } }), answer), resume?.(input({ self }), answer)]).toEqual(
    [gone, gone, gone],
  );
});
