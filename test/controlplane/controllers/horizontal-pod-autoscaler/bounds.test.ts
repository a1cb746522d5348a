/** From the replicas that metrics propose to those to set: each bound, window and rate with numbers computed by hand. */
import { describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscaler } from '../../../../src/apiserver/kinds/index.ts';
import { bound, changing, type Memory, remembering } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/bounds.ts';

type Behavior = HorizontalPodAutoscaler['spec']['behavior'];
const autoscaler = (behavior?: Behavior, minReplicas = 1, maxReplicas = 20): HorizontalPodAutoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'd' },
    minReplicas,
    maxReplicas,
    metrics: [],
    ...(behavior === undefined ? {} : { behavior }),
  },
  status: { desiredReplicas: 0, currentMetrics: null },
});
const NONE: Memory = { dueAt: 0 };
const HOUR = 3_600_000;
const rules = (policies: readonly { type: string; value: number; periodSeconds: number }[], selectPolicy = 'Max', window = 0) => ({
  stabilizationWindowSeconds: window,
  selectPolicy,
  policies,
});
const free = rules([{ type: 'Percent', value: 100, periodSeconds: 15 }]);

/** Replicas, and the reasons of the two conditions. */
const become = (object: HorizontalPodAutoscaler, current: number, wanted: number, memory = NONE, now = HOUR) => {
  const { replicas, steadied, limited } = bound(object, { current, wanted, memory, now });
  return [replicas, steadied.reason, limited.reason, limited.isLimited];
};

describe('without behavior', () => {
  it.each([
    ['goes where it is asked to', 3, 4, [4, 'ReadyForNewScale', 'DesiredWithinRange', false]],
    ['goes to four at least', 1, 9, [4, 'ReadyForNewScale', 'ScaleUpLimit', true]],
    ['goes to the double at most', 6, 19, [12, 'ReadyForNewScale', 'ScaleUpLimit', true]],
    ['stops at its most', 12, 90, [20, 'ReadyForNewScale', 'TooManyReplicas', true]],
    ['stops at its least', 6, 0, [1, 'ReadyForNewScale', 'TooFewReplicas', true]],
  ])('%s', (_what, current, wanted, expected) => {
    expect(become(autoscaler(), current, wanted)).toEqual(expected);
  });

  it('scales down to the greatest proposal of five minutes, and no further', () => {
    const memory = remembering(remembering(NONE, autoscaler(), 6, HOUR - 299_000), autoscaler(), 4, HOUR - 15_000);
    expect(become(autoscaler(), 6, 2, memory)).toEqual([6, 'ScaleDownStabilized', 'DesiredWithinRange', false]);
    expect(become(autoscaler(), 6, 2, memory, HOUR + 2_000)).toEqual([4, 'ScaleDownStabilized', 'DesiredWithinRange', false]);
  });
});

it('ignores a proposal of exactly five minutes ago', () => {
  const asked = (at: number): Memory => ({ ...NONE, recommendations: [{ replicas: 6, at }] });
  expect([300_000, 299_999].map((ago) => become(autoscaler(), 6, 2, asked(HOUR - ago))[0])).toEqual([2, 6]);
});

describe('with behavior', () => {
  it('may restore at once what it removed in the period, besides what the policy allows', () => {
    const object = autoscaler({ scaleUp: rules([{ type: 'Pods', value: 3, periodSeconds: 60 }]), scaleDown: free });
    const memory = changing(NONE, object, 7, 5, HOUR - 30_000);
    expect(become(object, 5, 20, memory)[0]).toBe(10);
    expect(become(object, 5, 20)[0]).toBe(8);
  });

  it('bases the limit of a policy on the start of its period', () => {
    const object = autoscaler({ scaleUp: rules([{ type: 'Pods', value: 3, periodSeconds: 60 }]), scaleDown: free });
    expect(become(object, 2, 9)).toEqual([5, 'ReadyForNewScale', 'ScaleUpLimit', true]);
    const memory = changing(NONE, object, 2, 5, HOUR - 30_000);
    expect(become(object, 5, 9, memory)).toEqual([5, 'ReadyForNewScale', 'ScaleUpLimit', true]);
    expect(become(object, 5, 9, memory, HOUR + 31_000)).toEqual([8, 'ReadyForNewScale', 'ScaleUpLimit', true]);
  });

  it.each([
    ['Max', 8],
    ['Min', 5],
    ['Disabled', 4],
  ])('uses the policy that %s selects', (select, expected) => {
    const policies = [
      { type: 'Pods', value: 1, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ];
    expect(become(autoscaler({ scaleUp: rules(policies, select), scaleDown: free }), 4, 20)[0]).toBe(expected);
    expect(become(autoscaler({ scaleUp: free, scaleDown: rules(policies, select) }, 0), 4, 0)[0]).toBe(
      { Max: 0, Min: 3, Disabled: 4 }[select],
    );
  });

  it('stabilizes both ways: the lowest proposal of one window, the highest of the other', () => {
    const object = autoscaler({ scaleUp: rules(free.policies, 'Max', 60), scaleDown: rules(free.policies, 'Max', 60) });
    const memory = remembering(NONE, object, 5, HOUR - 30_000);
    expect(become(object, 4, 8, memory)).toEqual([5, 'ScaleUpStabilized', 'DesiredWithinRange', false]);
    expect(become(object, 8, 2, memory)).toEqual([5, 'ScaleDownStabilized', 'DesiredWithinRange', false]);
    expect(become(object, 4, 8, memory, HOUR + 40_000)[0]).toBe(8);
  });

  it('drops proposals older than all windows', () => {
    const object = autoscaler({ scaleUp: free, scaleDown: rules(free.policies, 'Max', 30) });
    let memory = NONE;
    for (let look = 0; look < 100; look++) memory = changing(remembering(memory, object, look, look * 15_000), object, 1, 2, look * 15_000);
    expect([memory.recommendations?.length, memory.ups?.length]).toEqual([2, 1]);
  });
});
