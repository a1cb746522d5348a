/** One synchronization of the eviction manager: thresholds, instants and ranks at their limits. */
import { describe, expect, it } from 'vitest';
import { created, passed } from '../../../../src/controlplane/agents/node/containers.ts';
import { synchronize, type EvictionContext } from '../../../../src/controlplane/agents/node/eviction/manager.ts';
import {
  admitUnderPressure,
  ranked,
  freshEviction,
  met,
  mostUrgent,
  thresholdsOf,
} from '../../../../src/controlplane/agents/node/eviction/thresholds.ts';
import type { RunningPod, EvictionState } from '../../../../src/controlplane/agents/node/eviction/thresholds.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { at, barePod } from '../../../support/objects.ts';

type Settings = EvictionContext['settings'];
const SETTINGS: Settings = {
  evictionHard: {},
  evictionSoft: {},
  evictionSoftGracePeriod: {},
  evictionMinimumReclaim: {},
  evictionPressureTransitionPeriod: '1m0s',
  evictionMaxPodGracePeriod: -1,
  enforceNodeAllocatable: [],
  isolatesStorage: true,
};

const runningPod = (name: string, { memory = 0, asks = '0', priority = 0, grace = 30, disk = 0, pids = 0 } = {}): RunningPod => {
  const pod = barePod(name, 'Running', {
    spec: { priority, terminationGracePeriodSeconds: grace, containers: [{ name: 'c', resources: { requests: { memory: asks } } }] },
  });
  const behavior = {
    startDelayMs: 0,
    readyDelayMs: 0,
    runForMs: undefined,
    exitCodes: [0],
    terminationDelayMs: 1_000_000,
    terminationExitCode: 0,
  };
  const asked = { attemptsOf: name, ip: '10.0.0.1', asks: requestsOf(pod.spec), held: false, leastStartMs: 0 };
  const run = passed(created({ behavior, policy: 'Always', ...asked }, at(0)), at(0), 0);
  return { pod, run, used: { cpu: 0, memory, disk, pids } };
};
const memoryLeft = (available: number, signal = 'memory.available') => new Map([[signal, { capacity: 1_000, available }]]);

/** The result of a synchronization so many seconds after the start, with so much memory available. */
function look(seconds: number, available: number, settings: Partial<Settings>, more: Partial<EvictionContext> = {}) {
  const { enqueue = [], actions = [] } = synchronize({
    now: at(seconds),
    names: namesFor('k8s.io'),
    nodeName: 'n',
    settings: { ...SETTINGS, ...settings },
    state: freshEviction,
    runningPods: [runningPod('p', { memory: 900 })],
    observations: memoryLeft(available),
    unusedImages: { names: [], bytes: 0 },
    ...more,
  });
  const state = actions.flatMap((action) => (action.does === 'pressure' ? [action.is] : []))[0] ?? freshEviction;
  const until = actions.flatMap((action) => (action.does === 'evict' ? [(action.run.until - at(seconds)) / 1000] : []))[0];
  return { evicted: enqueue.map((key) => String(key).replace('default/', ''))[0], pressures: state.pressures, state, until };
}

describe('a threshold', () => {
  it('is met below it, not at it', () => {
    const thresholds = thresholdsOf({ ...SETTINGS, evictionHard: { 'memory.available': '100' } });
    expect([99, 100].map((available) => met(thresholds, memoryLeft(available), false).length)).toEqual([1, 0]);
  });

  it('is disabled at 0 % and 100 %', () => {
    const hard = { 'memory.available': '0%', 'nodefs.available': '100%', 'pid.available': '10%' };
    expect(thresholdsOf({ ...SETTINGS, evictionHard: hard }).map(({ signal }) => signal)).toEqual(['pid.available']);
    // Every signal, soft as well as hard.
    const signals = ['memory', 'nodefs', 'imagefs', 'pid']
      .map((name) => `${name}.available`)
      .concat('nodefs.inodesFree', 'imagefs.inodesFree');
    for (const off of ['0%', '100%', '0.0%', '100.0%'])
      for (const which of ['evictionHard', 'evictionSoft'] as const)
        expect(thresholdsOf({ ...SETTINGS, [which]: Object.fromEntries(signals.map((signal) => [signal, off])) })).toEqual([]);
  });

  it('of memory comes before one of the disk, in any order', () => {
    const hard = { 'nodefs.available': '1', 'memory.available': '1' };
    expect(mostUrgent(thresholdsOf({ ...SETTINGS, evictionHard: hard }))?.threshold.signal).toBe('memory.available');
  });
});

describe('a soft threshold', () => {
  const soft = { evictionSoft: { 'memory.available': '100' }, evictionSoftGracePeriod: { 'memory.available': '20s' } };

  it('evicts from the instant at which it has been met for its grace period', () => {
    const { state } = look(0, 50, soft);
    expect([19.999, 20].map((seconds) => look(seconds, 50, soft, { state }).evicted)).toEqual([undefined, 'p']);
  });

  it.each([
    [30, 10, 10],
    [5, 10, 5],
    [30, -1, 30],
  ])('gives a pod that asks for %i s, where %i s is the most, %i s', (grace, evictionMaxPodGracePeriod, given) => {
    const { state } = look(0, 50, soft);
    expect(
      look(20, 50, { ...soft, evictionMaxPodGracePeriod }, { state, runningPods: [runningPod('p', { memory: 900, grace })] }).until,
    ).toBe(given);
  });
});

describe('a condition of the node', () => {
  const hard = { evictionHard: { 'memory.available': '100' } };

  it('remains for exactly the transition period after its threshold', () => {
    const { state } = look(0, 50, hard, { runningPods: [] });
    expect([59.999, 60].map((seconds) => look(seconds, 500, hard, { state }).pressures)).toEqual([['MemoryPressure'], []]);
  });

  it('goes on until the minimum is reclaimed, too', () => {
    const settings = { ...hard, evictionMinimumReclaim: { 'memory.available': '200' } };
    const after = (available: number, state: EvictionState) => look(10, available, settings, { state }).evicted;
    const { state } = look(0, 50, settings, { runningPods: [] });
    expect([after(299, state), after(300, state), after(299, freshEviction)]).toEqual(['p', undefined, undefined]);
  });
});

describe('of the pods', () => {
  const first = (...runningPods: readonly RunningPod[]): string | undefined => ranked(runningPods, 'memory')[0]?.pod.metadata.name;

  it.each<[string, string | undefined, string]>([
    [
      'the one goes that uses more than it asked for',
      first(runningPod('within', { memory: 10, asks: '20', priority: -5 }), runningPod('beyond', { memory: 5 })),
      'beyond',
    ],
    [
      'of two such the less important one',
      first(runningPod('more', { memory: 50, priority: 1 }), runningPod('less', { memory: 5 })),
      'less',
    ],
    [
      'of two alike the one that is further beyond',
      first(runningPod('near', { memory: 9, asks: '8' }), runningPod('far', { memory: 5, asks: '2' })),
      'far',
    ],
  ])('%s', (_, goes, expected) => {
    expect(goes).toBe(expected);
  });

  it.each([
    ['memory', 'far near less within'],
    ['ephemeral-storage', 'near less within far'],
    ['pids', 'within near far less'],
  ] as const)('all are ordered by what they use of %s', (resource, order) => {
    const pods = [
      runningPod('within', { memory: 10, asks: '20', pids: 9, priority: -1 }),
      runningPod('less', { memory: 30, priority: 1, disk: 9 }),
      runningPod('near', { memory: 5, asks: '4', disk: 20, pids: 6 }),
      runningPod('far', { memory: 8, asks: '4', disk: 0, pids: 4 }),
    ];
    expect(
      ranked(pods, resource)
        .map(({ pod }) => pod.metadata.name)
        .join(' '),
    ).toBe(order);
  });
});

describe('a node under pressure', () => {
  const names = namesFor('k8s.io');
  const tolerating = (more: object) => ({ tolerations: [{ key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', ...more }] });
  const judged = (pressures: Parameters<typeof admitUnderPressure>[1], spec: object = {}, qosClass = 'BestEffort', meta = {}) =>
    admitUnderPressure(barePod('p', 'Pending', { spec, status: { qosClass }, meta }), pressures, names)?.message ?? 'admitted';
  const refused = (...pressures: readonly string[]): string => `The node had condition: [${pressures.join(' ')}]. `;
  const [memory, disk] = [['MemoryPressure'], ['DiskPressure']] as const;

  it.each<readonly [string, () => string, string]>([
    ['admits pods without pressure', () => judged([]), 'admitted'],
    ['refuses pods without requests for its memory', () => judged(memory), refused('MemoryPressure')],
    ['admits other pods', () => judged(memory, {}, 'Burstable'), 'admitted'],
    ['refuses every pod for its disk', () => judged(disk, {}, 'Guaranteed'), refused('DiskPressure')],
    ['refuses every pod for both', () => judged([...memory, ...disk], {}, 'Burstable'), refused('MemoryPressure', 'DiskPressure')],
    ['admits a pod that tolerates it', () => judged(memory, tolerating({})), 'admitted'],
    ['admits a pod that tolerates everything', () => judged(memory, { tolerations: [{ operator: 'Exists' }] }), 'admitted'],
    ['admits a pod that tolerates its effect', () => judged(memory, tolerating({ effect: 'NoSchedule' })), 'admitted'],
    ['refuses a pod that tolerates another effect', () => judged(memory, tolerating({ effect: 'NoExecute' })), refused('MemoryPressure')],
    ['refuses a pod that tolerates another taint', () => judged(memory, tolerating({ key: 'other' })), refused('MemoryPressure')],
    ['admits a pod that tolerates it without a value', () => judged(memory, tolerating({ operator: 'Equal' })), 'admitted'],
    [
      'refuses a pod that tolerates a value',
      () => judged(memory, tolerating({ operator: 'Equal', value: 'x' })),
      refused('MemoryPressure'),
    ],
    ['refuses a pod that tolerates it otherwise for its disk', () => judged(disk, tolerating({})), refused('DiskPressure')],
    ['admits a critical pod', () => judged(disk, { priority: 2_000_000_000 }), 'admitted'],
    ['refuses one that is almost critical', () => judged(disk, { priority: 1_999_999_999 }), refused('DiskPressure')],
    ['admits a mirror', () => judged(disk, {}, 'BestEffort', { annotations: { 'kubernetes.io/config.mirror': 'x' } }), 'admitted'],
  ])('%s', (_, is, expected) => {
    expect(is()).toBe(expected);
  });
});

it('thresholds of memory apply to the pods too, where their cgroup is enforced', () => {
  const settings: Settings = {
    ...SETTINGS,
    evictionHard: { 'nodefs.available': '10%', 'memory.available': '100Mi' },
    evictionSoft: { 'memory.available': '200Mi' },
    evictionSoftGracePeriod: { 'memory.available': '1m30s' },
    evictionMinimumReclaim: { 'memory.available': '5%' },
  };
  const told = (more: Partial<Settings>) =>
    thresholdsOf({ ...settings, ...more }).map(({ signal, value, minReclaim = '-', graceMs, hard }) =>
      [signal, value, minReclaim, graceMs, hard ? 'hard' : 'soft'].join(' '),
    );
  const own = ['nodefs.available 10% - 0 hard', 'memory.available 100Mi 5% 0 hard', 'memory.available 200Mi 5% 90000 soft'];
  expect(told({})).toEqual(own);
  expect(told({ enforceNodeAllocatable: ['pods'] })).toEqual(['allocatableMemory.available 100Mi 5% 0 hard', ...own]);
  expect(told({ enforceNodeAllocatable: ['pods'], evictionHard: {} })).toEqual([own[2]]);
});
