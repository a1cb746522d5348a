/** The replicas that a usage proposes: which pods count, which do not yet, and the assumptions about pods without metrics. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { forAmount, forShare, type Measured } from '../../../../src/controlplane/controllers/horizontal-pod-autoscaler/proposal.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, barePod } from '../../../support/objects.ts';

const HOUR = 3_600;

interface Said {
  readonly phase?: string;
  readonly isReady?: boolean;
  /** The second of its start. */
  readonly started?: number;
  /** The second since which it is ready, or not ready. */
  readonly since?: number;
}
/** A pod that requests 100 thousandths of a core. */
const pod = (name: string, { phase = 'Running', isReady = true, started = 0, since = started + 5 }: Said = {}): Pod =>
  barePod(name, phase, {
    spec: { containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] },
    status: {
      startTime: formatTime(at(started)),
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: formatTime(at(since)) }],
    },
  });
const measured = (pods: readonly Pod[], usage: Readonly<Record<string, number>>, resource = 'cpu'): Measured => ({
  pods,
  usage: new Map(Object.entries(usage)),
  resource,
  now: at(HOUR),
});
const replicasOf = (made: ReturnType<typeof forShare>): number | string => (typeof made === 'string' ? made : made.replicas);

const STARTING = { isReady: false, started: HOUR - 10 };

describe('a percentage of the requests', () => {
  it.each<[string, readonly Pod[], Readonly<Record<string, number>>, number, number]>([
    ['is met by as many times more as it is too much', [pod('a'), pod('b')], { a: 100, b: 100 }, 50, 4],
    ['stays where it is near enough', [pod('a'), pod('b')], { a: 54, b: 54 }, 50, 2],
    ['rounds up', [pod('a'), pod('b')], { a: 60, b: 60 }, 50, 3],
    ['takes a pod that says nothing for all it asked for on the way down', [pod('a'), pod('b')], { a: 10 }, 50, 2],
    ['takes it for nothing on the way up', [pod('a'), pod('b')], { a: 100 }, 50, 2],
    ['goes up by less for one that says nothing', [pod('a'), pod('b')], { a: 240 }, 50, 5],
    ['goes down by less for one that says nothing', [pod('a'), pod('b'), pod('c'), pod('d')], { a: 0, b: 0, c: 0 }, 50, 2],
    ['takes a pod that starts for nothing on the way up, whatever it uses', [pod('a'), pod('b', STARTING)], { a: 100, b: 500 }, 48, 2],
    ['leaves a pod that starts out of it on the way down', [pod('a'), pod('b', STARTING)], { a: 20, b: 500 }, 50, 1],
    ['does not count pods that have failed', [pod('a'), pod('b', { phase: 'Failed' })], { a: 100, b: 0 }, 50, 2],
    ['counts one that was ready and is not', [pod('a'), pod('b', { isReady: false, since: 1_000 })], { a: 100, b: 100 }, 50, 4],
    ['does not count one that has never been ready', [pod('a'), pod('b', { isReady: false, since: 10 })], { a: 100, b: 500 }, 48, 2],
  ])('%s', (_, pods, usage, target, replicas) => {
    const current = pods.filter(({ status }) => status.phase === 'Running').length;
    expect(replicasOf(forShare(measured(pods, usage), current, target))).toBe(replicas);
  });

  it('is unknown without metrics', () => {
    expect(forShare(measured([pod('a')], {}), 1, 50)).toBe('did not receive metrics for any ready pods');
  });
});

describe('an amount of memory', () => {
  it('counts starting pods too: only their CPU usage is not representative', () => {
    expect(forAmount(measured([pod('a'), pod('b', STARTING)], { a: 100, b: 500 }, 'memory'), 2, 100)).toEqual({
      replicas: 6,
      average: 300,
    });
  });
});
