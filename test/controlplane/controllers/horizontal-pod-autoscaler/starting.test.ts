/** Which pods count as starting, and what is assumed of those that say nothing, at the borders. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import {
  forAmount,
  forEach,
  forShare,
  forTotal,
  type Measured,
  type Proposal,
} from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/proposal.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, barePod } from '../../../support/objects.ts';

interface Said {
  readonly phase?: string;
  readonly ready?: boolean;
  readonly started?: number;
  /** The second of its last change of readiness; null: unknown. */
  readonly since?: number | null;
  readonly meta?: object;
  readonly requests?: object;
}
const NOW = 1000;
const pod = (
  name: string,
  { phase = 'Running', ready = true, started = 0, since = 5, meta = {}, requests = { cpu: '100m' } }: Said = {},
): Pod =>
  barePod(name, phase, {
    meta: { ...meta },
    spec: {
      containers: [
        { name: 'c', resources: { requests } },
        { name: 'd', resources: { requests } },
      ],
    },
    status: {
      startTime: formatTime(at(started)),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: since === null ? null : formatTime(at(since)) }],
    },
  });
const measured = (pods: readonly Pod[], usage: Readonly<Record<string, number>>, more: Partial<Measured> = {}): Measured => ({
  pods,
  usage: new Map(Object.entries(usage)),
  resource: 'cpu',
  now: at(NOW),
  ...more,
});

describe('of two pods with the double of their target, replicas are proposed', () => {
  // Two counted pods give four; where the second is starting, the first alone stays at two.
  const replicas = (second: Said): unknown => {
    const made = forAmount(measured([pod('a'), pod('b', second)], { a: 200, b: 200 }), 2, 100);
    return typeof made === 'string' ? made : made.replicas;
  };
  it.each<[string, Said, number]>([
    ['for one that runs', {}, 4],
    ['without one that is pending', { phase: 'Pending' }, 2],
    ['without one that has failed', { phase: 'Failed' }, 2],
    ['without one that is being deleted', { meta: { deletionTimestamp: 'now' } }, 2],
    ['for one that started five minutes ago', { started: NOW - 300, since: NOW - 10 }, 4],
    ['without one that started later and became ready lately', { started: NOW - 299, since: NOW - 14 }, 2],
    ['for one that started later and has been ready for a window', { started: NOW - 299, since: NOW - 15 }, 4],
    ['without one that started later and is not ready', { started: NOW - 299, since: NOW - 200, ready: false }, 2],
    ['for one that was ready and is not', { ready: false, since: 30 }, 4],
    ['without one that has never been ready', { ready: false, since: 29 }, 2],
    ['for one that is ready since an unknown time', { since: null }, 4],
  ])('%s', (_, second, expected) => {
    expect(replicas(second)).toBe(expected);
  });
});

describe('a proposal', () => {
  const amount = (usage: Readonly<Record<string, number>>, current: number, target: number, ...pods: readonly Pod[]): Proposal | string =>
    forAmount(measured(pods, usage), current, target);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => pod(name)) as [Pod, Pod, Pod, Pod];
  it.each<[string, () => Proposal | string, Proposal | string]>([
    ['stays within a tenth', () => amount({ a: 109, b: 109 }, 2, 100, a, b), { replicas: 2, average: 109 }],
    // A ratio of 1.1 is farther from 1 than 0.1 in floating-point numbers, upstream too.
    ['changes from a tenth on', () => amount({ a: 110, b: 110 }, 2, 100, a, b), { replicas: 3, average: 110 }],
    ['falls beyond a tenth', () => amount({ a: 40, b: 40 }, 2, 100, a, b), { replicas: 1, average: 40 }],
    ['truncates the average', () => amount({ a: 200, b: 203 }, 2, 100, a, b), { replicas: 5, average: 201 }],
    ['assumes nothing of a silent pod on the way up', () => amount({ a: 300 }, 2, 100, a, b), { replicas: 3, average: 300 }],
    [
      'assumes the target of a silent pod on the way down',
      () => amount({ a: 20, b: 20 }, 4, 100, a, b, c, d),
      { replicas: 3, average: 20 },
    ],
    ['does not turn by what it assumes', () => amount({ a: 150 }, 2, 100, a, b), { replicas: 2, average: 150 }],
    ['does not rise to fewer than there are', () => amount({ a: 240 }, 5, 100, a, b), { replicas: 5, average: 240 }],
    ['does not fall to more than there are', () => amount({ a: 20, b: 20 }, 2, 100, a, b, c, d), { replicas: 2, average: 20 }],
    ['at its target leaves silent pods out of it', () => amount({ a: 100 }, 2, 100, a, b), { replicas: 2, average: 100 }],
    ['needs a pod that says something', () => amount({}, 2, 100, a, b), 'did not receive metrics for any ready pods'],
    [
      'counts a starting pod as nothing on the way up',
      () => amount({ a: 300, b: 900 }, 2, 100, a, pod('b', { started: NOW - 1, since: NOW - 1 })),
      { replicas: 3, average: 300 },
    ],
    [
      'leaves a starting pod out of it on the way down',
      () => amount({ a: 50, b: 900 }, 2, 100, a, pod('b', { started: NOW - 1, since: NOW - 1 })),
      { replicas: 1, average: 50 },
    ],
  ])('of an amount %s', (_, made, expected) => {
    expect(made()).toEqual(expected);
  });

  const share = (
    usage: Readonly<Record<string, number>>,
    current: number,
    target: number,
    pods: readonly Pod[],
    more: Partial<Measured> = {},
  ) => forShare(measured(pods, usage, more), current, target);
  it.each<[string, () => Proposal | string, Proposal | string]>([
    [
      'is of the requests of all containers',
      () => share({ a: 200, b: 200 }, 2, 50, [a, b]),
      { replicas: 4, utilization: 100, average: 200 },
    ],
    [
      'is of the requests of one container',
      () => share({ a: 100, b: 100 }, 2, 50, [a, b], { container: 'd' }),
      { replicas: 4, utilization: 100, average: 100 },
    ],
    ['truncates', () => share({ a: 101, b: 100 }, 2, 50, [a, b]), { replicas: 2, utilization: 50, average: 100 }],
    ['assumes all requests of a silent pod', () => share({ a: 20 }, 2, 50, [a, b]), { replicas: 2, utilization: 10, average: 20 }],
    ['needs requests', () => share({ a: 20 }, 1, 50, [pod('a', { requests: {} })]), 'missing request for cpu'],
    ['needs metrics before requests', () => share({}, 1, 50, [pod('a', { requests: {} })]), 'did not receive metrics for any ready pods'],
    [
      'needs requests that are not zero',
      () => share({ a: 20 }, 1, 50, [pod('a', { requests: { cpu: '0' } })]),
      'no metrics returned matched known pods',
    ],
    ['leaves out metrics of other pods', () => share({ a: 200, gone: 900 }, 1, 50, [a]), { replicas: 2, utilization: 100, average: 200 }],
  ])('of a share %s', (_, made, expected) => {
    expect(made()).toEqual(expected);
  });
});

describe('a total', () => {
  const pods = [pod('a'), pod('b'), pod('c', { ready: false }), pod('d', { phase: 'Pending' })];
  it('counts the ready replicas', () => {
    expect([
      forTotal(pods, 4, 250, 100),
      forTotal(pods, 4, 109, 100),
      forTotal(pods, 4, 110, 100),
      forTotal(pods, 4, 90, 100),
      forTotal(pods, 4, 89, 100),
    ]).toEqual([5, 4, 3, 4, 2]);
    expect([forTotal(pods, 0, 250, 100), forTotal([], 0, 110, 100), forTotal([], 2, 109, 100)]).toEqual([3, 2, 2]);
    expect(forTotal([], 2, 250, 100)).toBe('unable to calculate ready pods: no pods returned by selector while calculating replica count');
  });

  it('of each replica is its average', () => {
    expect([forEach(2, 218, 100), forEach(2, 220, 100), forEach(2, 179, 100), forEach(0, 150, 100), forEach(3, 100, 10)]).toEqual([
      { replicas: 2, average: 109 },
      { replicas: 3, average: 110 },
      { replicas: 2, average: 90 },
      { replicas: 2, average: 150 },
      { replicas: 10, average: 34 },
    ]);
  });
});
