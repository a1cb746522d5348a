/** The limits of scaling at their borders: sizes, rates, windows, and what is remembered for them. Instants are seconds of an hour. */
import { describe, expect, it } from 'vitest';
import type { HorizontalPodAutoscaler, ScalingRules } from '../../../../src/apiserver/kinds/index.ts';
import { bound, changing, type Memory, remembering } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/bounds.ts';

type Behavior = HorizontalPodAutoscaler['spec']['behavior'];
const scaler = (behavior?: Behavior, minReplicas = 1, maxReplicas = 10): HorizontalPodAutoscaler =>
  ({
    spec: { minReplicas, maxReplicas, metrics: [], ...(behavior === undefined ? {} : { behavior }) },
  }) as unknown as HorizontalPodAutoscaler;
const NOW = 3_600_000;
const ago = (seconds: number): number => NOW - seconds * 1000;
const sample = (replicas: number, seconds: number) => ({ replicas, at: ago(seconds) });
const pods = (value: number, periodSeconds = 60) => ({ type: 'Pods', value, periodSeconds });
const percent = (value: number, periodSeconds = 60) => ({ type: 'Percent', value, periodSeconds });
const rules = (policies: readonly object[], more: object = {}): ScalingRules =>
  ({ stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies, ...more }) as unknown as ScalingRules;
const FAST = rules([pods(100)]);
const memoryOf = (more: Partial<Memory> = {}): Memory => ({ dueAt: 0, ...more });
const bounded = (self: HorizontalPodAutoscaler, current: number, wanted: number, memory = memoryOf()) => {
  const { replicas, steadied, window, limited } = bound(self, { current, wanted, memory, now: NOW });
  return [replicas, limited.reason, limited.isLimited, steadied.reason, window];
};
const both = (scaleUp: ScalingRules, scaleDown: ScalingRules = FAST) => ({ scaleUp, scaleDown });
const READY = ['ReadyForNewScale', undefined];
const WITHIN = ['DesiredWithinRange', false, ...READY];
const KEEPS = (which: string, window: string, count: number): string =>
  `the stabilization window of ${window} keeps the ${which} recommendation in it, ${count}`;

describe('with rules, a count', () => {
  it.each<[string, Parameters<typeof bounded>, readonly unknown[]]>([
    ['stays', [scaler(both(FAST)), 4, 4], [4, ...WITHIN]],
    ['rises to the greatest size', [scaler(both(FAST)), 4, 10], [10, ...WITHIN]],
    ['rises no further', [scaler(both(FAST)), 4, 11], [10, 'TooManyReplicas', true, ...READY]],
    ['rises by its rate', [scaler(both(rules([pods(2)]))), 4, 6], [6, ...WITHIN]],
    ['rises no faster', [scaler(both(rules([pods(2)]))), 4, 7], [6, 'ScaleUpLimit', true, ...READY]],
    [
      'rises to the greatest size, where that is also its rate',
      [scaler(both(rules([pods(6)]))), 4, 11],
      [10, 'TooManyReplicas', true, ...READY],
    ],
    ['rises by a percentage, rounded up', [scaler(both(rules([percent(10)]))), 4, 9], [5, 'ScaleUpLimit', true, ...READY]],
    [
      'rises by the slower of two policies',
      [scaler(both(rules([pods(1), percent(100)], { selectPolicy: 'Min' }))), 4, 9],
      [5, 'ScaleUpLimit', true, ...READY],
    ],
    [
      'does not rise below where it is',
      [scaler(both(rules([pods(1)]))), 4, 9, memoryOf({ ups: [sample(3, 10)] })],
      [4, 'ScaleUpLimit', true, ...READY],
    ],
    ['falls to the least size', [scaler(both(FAST)), 4, 1], [1, ...WITHIN]],
    ['falls no further', [scaler(both(FAST)), 4, 0], [1, 'TooFewReplicas', true, ...READY]],
    ['falls by its rate', [scaler(both(FAST, rules([pods(2)]))), 4, 2], [2, ...WITHIN]],
    ['falls no faster', [scaler(both(FAST, rules([pods(2)]))), 5, 2], [3, 'ScaleDownLimit', true, ...READY]],
    [
      'falls to the least size, where that is also its rate',
      [scaler(both(FAST, rules([pods(3)]))), 4, 0],
      [1, 'TooFewReplicas', true, ...READY],
    ],
    ['falls by a percentage, rounded down', [scaler(both(FAST, rules([percent(50)]))), 5, 1], [2, 'ScaleDownLimit', true, ...READY]],
    [
      'falls by the slower of two policies',
      [scaler(both(FAST, rules([pods(1), percent(100)], { selectPolicy: 'Min' }))), 4, 1],
      [3, 'ScaleDownLimit', true, ...READY],
    ],
    [
      'does not fall above where it is',
      [scaler(both(FAST, rules([pods(1)]))), 4, 1, memoryOf({ downs: [sample(3, 10)] })],
      [4, 'ScaleDownLimit', true, ...READY],
    ],
    [
      'does not change where its rules are off',
      [scaler(both(rules([pods(9)], { selectPolicy: 'Disabled' }))), 4, 9],
      [4, 'ScaleUpLimit', true, ...READY],
    ],
    [
      'counts changes within the period of a policy',
      [scaler(both(rules([pods(5)]))), 4, 9, memoryOf({ ups: [sample(1, 60), sample(2, 59)] })],
      [7, 'ScaleUpLimit', true, ...READY],
    ],
  ])('%s', (_, given, expected) => {
    expect(bounded(...given)).toEqual(expected);
  });
});

describe('a window', () => {
  const window = (seconds: number | undefined) => rules([pods(100)], { stabilizationWindowSeconds: seconds });
  const asked = (...list: readonly (readonly [number, number])[]) =>
    memoryOf({ recommendations: list.map(([replicas, seconds]) => sample(replicas, seconds)) });
  it.each<[string, Parameters<typeof bounded>, readonly unknown[]]>([
    [
      'upwards keeps the lowest',
      [scaler(both(window(60), window(0))), 4, 8, asked([6, 59], [7, 10])],
      [6, 'DesiredWithinRange', false, 'ScaleUpStabilized', KEEPS('lowest', '1m', 6)],
    ],
    ['upwards ends', [scaler(both(window(60), window(0))), 4, 8, asked([6, 60])], [8, ...WITHIN]],
    ['upwards is none by default', [scaler(both(window(undefined), window(0))), 4, 8, asked([6, 0])], [8, ...WITHIN]],
    [
      'downwards keeps the highest',
      [scaler(both(window(0), window(60))), 8, 4, asked([6, 59], [5, 10])],
      [6, 'DesiredWithinRange', false, 'ScaleDownStabilized', KEEPS('highest', '1m', 6)],
    ],
    ['downwards ends', [scaler(both(window(0), window(60))), 8, 4, asked([6, 60])], [4, ...WITHIN]],
    [
      'downwards is five minutes by default',
      [scaler(both(window(0), window(undefined))), 8, 4, asked([6, 299], [7, 300])],
      [6, 'DesiredWithinRange', false, 'ScaleDownStabilized', KEEPS('highest', '5m', 6)],
    ],
    ['keeps the count between both', [scaler(both(window(60), window(60))), 5, 5, asked([4, 10], [6, 10])], [5, ...WITHIN]],
    [
      'without rules keeps the highest of five minutes',
      [scaler(), 8, 4, asked([6, 299], [7, 300])],
      [6, 'DesiredWithinRange', false, 'ScaleDownStabilized', KEEPS('highest', '5m', 6)],
    ],
  ])('%s', (_, given, expected) => {
    expect(bounded(...given)).toEqual(expected);
  });

  it('without rules limits the rise to the double, or to four', () => {
    expect([
      bounded(scaler(), 3, 6),
      bounded(scaler(), 3, 7),
      bounded(scaler(), 1, 5),
      bounded(scaler(undefined, 1, 6), 3, 7),
      bounded(scaler(undefined, 3), 4, 2),
    ]).toEqual([
      [6, ...WITHIN],
      [6, 'ScaleUpLimit', true, ...READY],
      [4, 'ScaleUpLimit', true, ...READY],
      [6, 'TooManyReplicas', true, ...READY],
      [3, 'TooFewReplicas', true, ...READY],
    ]);
    // Rules for one direction alone count as none.
    expect(bounded(scaler({ scaleUp: rules([pods(1)]) }), 3, 6)).toEqual([6, ...WITHIN]);
  });
});

describe('the memory', () => {
  const old = memoryOf({ recommendations: [sample(1, 301), sample(2, 300), sample(3, 299), sample(4, 31), sample(5, 30), sample(6, 29)] });
  const kept = (behavior?: Behavior) => remembering(old, scaler(behavior), 9, NOW).recommendations?.map(({ replicas }) => replicas);

  it('has the proposals of the longest window', () => {
    expect([kept(), kept(both(rules([], { stabilizationWindowSeconds: 30 }), rules([], { stabilizationWindowSeconds: 10 })))]).toEqual([
      [3, 4, 5, 6, 9],
      [6, 9],
    ]);
    expect([
      kept(both(FAST, rules([], { stabilizationWindowSeconds: 31 }))),
      kept(both(FAST, rules([], { stabilizationWindowSeconds: undefined }))),
    ]).toEqual([
      [5, 6, 9],
      [3, 4, 5, 6, 9],
    ]);
    expect(remembering(memoryOf(), scaler(), 9, NOW)).toEqual({ dueAt: 0, recommendations: [{ replicas: 9, at: NOW }] });
  });

  it('has the changes of the longest period, where there are rules', () => {
    const before = memoryOf({ ups: [sample(1, 60), sample(2, 59), sample(3, 20)], downs: [sample(4, 90), sample(5, 89)] });
    const ruled = scaler(both(rules([pods(1, 60), pods(1, 15)]), rules([pods(1, 90)])));
    expect(changing(before, ruled, 2, 5, NOW)).toEqual({ ...before, ups: [sample(2, 59), sample(3, 20), sample(3, 0)] });
    expect(changing(before, ruled, 5, 2, NOW)).toEqual({ ...before, downs: [sample(5, 89), sample(3, 0)] });
    expect(changing(memoryOf(), ruled, 5, 2, NOW)).toEqual(memoryOf({ downs: [sample(3, 0)] }));
    expect([changing(before, ruled, 5, 5, NOW), changing(before, scaler(), 5, 2, NOW)]).toEqual([before, before]);
    expect(changing(before, scaler({ scaleDown: rules([]) }), 2, 5, NOW).ups).toEqual([sample(3, 0)]);
  });
});
