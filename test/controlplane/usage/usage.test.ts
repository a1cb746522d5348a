/** Usage as functions of time. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { type Curve, createUsage, firstAbove, valueAt } from '../../../src/controlplane/usage/index.ts';

const CURVES: Readonly<Record<string, Curve>> = {
  constant: { shape: 'constant', is: 7 },
  ramp: { shape: 'ramp', from: 10, to: 110, overMs: 1000 },
  falling: { shape: 'ramp', from: 110, to: 10, overMs: 1000 },
  steps: {
    shape: 'steps',
    steps: [
      { atMs: 100, is: 5 },
      { atMs: 200, is: 50 },
      { atMs: 300, is: 1 },
    ],
  },
  periodic: { shape: 'periodic', low: 0, high: 100, periodMs: 400 },
};
const values = (name: string, ...times: readonly number[]): readonly number[] => {
  const curve = CURVES[name];
  return curve === undefined ? [] : times.map((t) => valueAt(curve, t));
};

describe('a curve', () => {
  it('is constant, a ramp, steps, or periodic', () => {
    expect(values('constant', -1, 0, 9e9)).toEqual([0, 7, 7]);
    expect(values('ramp', 0, 500, 1000, 5000)).toEqual([10, 60, 110, 110]);
    expect(values('steps', 0, 99, 100, 250, 999)).toEqual([0, 0, 5, 50, 1]);
    expect(values('periodic', 0, 100, 200, 300, 400, 500)).toEqual([0, 50, 100, 50, 0, 50]);
  });

  it.each(Object.entries(CURVES))('%s first exceeds a limit at the time of firstAbove', (_, curve) => {
    for (const limit of [0, 4, 7, 9, 10, 49, 60, 99, 110, 200]) {
      let first: number | undefined;
      for (let t = 0; t <= 2000 && first === undefined; t++) if (valueAt(curve, t) > limit) first = t;
      expect([limit, firstAbove(curve, limit)]).toEqual([limit, first]);
    }
  });
});

describe('usageAt', () => {
  const pod = {
    metadata: { name: 'p', namespace: 'default', labels: { app: 'a' } },
    spec: { containers: [{ name: 'c' }, { name: 'd' }] },
    status: { containerStatuses: [{ name: 'c', state: { running: { startedAt: '2024-01-01T00:00:00Z' } } }] },
  } as unknown as Pod;
  const at = (ms: number): number => Date.UTC(2024, 0, 1) + ms;
  const usage = createUsage(
    [
      { selector: { matchLabels: { app: 'a' } }, memory: { shape: 'ramp', from: 0, to: 100, overMs: 1000 } },
      { container: 'd', memory: { shape: 'constant', is: 1000 } },
      { memory: { shape: 'constant', is: 5 }, cpu: { shape: 'constant', is: 250 } },
      { system: true, nodes: ['n'], memory: { shape: 'constant', is: 3 } },
    ],
    at(0),
  );

  it('is of the containers that run, the first entry that states a resource', () => {
    expect(usage.usageAt(pod, at(500))).toEqual({ memory: 50, disk: 0, pids: 0, cpu: 250 });
    expect(usage.usageAt(pod, at(500), at(0)).memory).toBe(1050);
    expect(usage.containerAt(pod, 'd', at(0), at(0)).memory).toBe(1000);
    expect(usage.aboveAfterMs(pod, 'c', 50)).toBe(510);
  });

  it('is zero for a pod that does not run', () => {
    expect(usage.usageAt({ ...pod, status: {} } as Pod, at(500)).memory).toBe(0);
  });

  it('of a system is of its node', () => {
    expect([usage.systemAt('n', at(1)).memory, usage.systemAt('m', at(1)).memory]).toEqual([3, 0]);
  });
});
