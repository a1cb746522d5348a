/** Whole outcomes of the eviction manager: what it decides, records and does, and how much is available by its signals. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { type Behavior, created, killed, passed, type Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { type EvictionContext, synchronize } from '../../../../src/controlplane/agents/node/eviction/manager.ts';
import { freshEviction, observe, usedBy } from '../../../../src/controlplane/agents/node/eviction/thresholds.ts';
import type { RunningPod } from '../../../../src/controlplane/agents/node/eviction/thresholds.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { createUsage } from '../../../../src/controlplane/usage/index.ts';
import { at, barePod } from '../../../support/objects.ts';

const BEHAVIOR: Behavior = {
  startDelayMs: 0,
  readyDelayMs: 0,
  runForMs: undefined,
  exitCodes: [0],
  terminationDelayMs: 60_000,
  terminationExitCode: 143,
};
const started = (behavior: Partial<Behavior> = {}): Run => {
  const start = { attemptsOf: 'p', ip: '10.0.0.1', asks: requestsOf({ containers: [] }), held: false, leastStartMs: 0 };
  return passed(created({ behavior: { ...BEHAVIOR, ...behavior }, policy: 'Never', ...start }, at(0)), at(0), 0);
};
const RUN = started();

const runningPod = (name: string, used: Partial<RunningPod['used']>, resources: object = {}, spec: object = {}): RunningPod => ({
  pod: barePod(name, 'Running', { spec: { containers: [{ name: 'c', resources }], ...spec } }),
  run: RUN,
  used: { cpu: 0, memory: 0, disk: 0, pids: 0, ...used },
});
const HOG = runningPod('hog', { memory: 4 * 1024, disk: 5_000, pids: 7 }, { requests: { memory: '1Ki', 'ephemeral-storage': '1000' } });

/** Of 1000 units of memory, of disk and of processes, these are available. */
const left = (memory: number, disk = 1_000, pids = 1_000): EvictionContext['observations'] =>
  new Map([
    ['memory.available', { capacity: 1_000, available: memory }],
    ['nodefs.available', { capacity: 1_000, available: disk }],
    ['imagefs.available', { capacity: 1_000, available: disk }],
    ['pid.available', { capacity: 1_000, available: pids }],
  ]);
const SETTINGS: EvictionContext['settings'] = {
  evictionHard: { 'memory.available': '100', 'nodefs.available': '10%', 'pid.available': '100' },
  evictionSoft: { 'memory.available': '300' },
  evictionSoftGracePeriod: { 'memory.available': '20s' },
  evictionMinimumReclaim: { 'nodefs.available': '50' },
  evictionPressureTransitionPeriod: '1m0s',
  evictionMaxPodGracePeriod: 5,
  enforceNodeAllocatable: [],
  isolatesStorage: true,
};
const after = (seconds: number, observations: EvictionContext['observations'], more: Partial<EvictionContext> = {}) =>
  synchronize({
    now: at(seconds),
    names: namesFor('k8s.io'),
    nodeName: 'n',
    settings: SETTINGS,
    state: freshEviction,
    runningPods: [HOG],
    observations,
    unusedImages: { names: [], bytes: 0 },
    ...more,
  });

const HARD_MEMORY = { signal: 'memory.available', value: '100', minReclaim: undefined, graceMs: 0, hard: true };
const DISK = { signal: 'nodefs.available', value: '10%', minReclaim: '50', graceMs: 0, hard: true };
const warning = (about: object, reason: string, message: string) => ({ op: 'event', event: { about, type: 'Warning', reason, message } });
const attempting = (resource: string) =>
  warning({ kind: 'Node', metadata: { name: 'n', uid: 'n' } }, 'EvictionThresholdMet', `Attempting to reclaim ${resource}`);
/** `since`, `observed` and `unresolved` of a state in which a hard threshold is met from an instant on. */
const metSince = (seconds: number, id: string, pressure: string, threshold: object) => ({
  since: { [id]: at(seconds) },
  observed: { [pressure]: at(seconds) },
  unresolved: [threshold],
  pressures: [pressure],
});

describe('a synchronization', () => {
  it('without pressure changes nothing, and is repeated after ten seconds', () => {
    expect(after(0, left(300))).toEqual({
      why: 'no eviction threshold is met',
      actions: [{ does: 'pressure', is: freshEviction }],
      writes: [],
      wakeAt: at(10),
      background: true,
    });
  });

  it('with a soft threshold waits for its grace period, and then evicts with one', () => {
    const waiting = after(0, left(299));
    const id = 'soft memory.available 300';
    const is = { since: { [id]: at(0) }, observed: { MemoryPressure: at(0) }, unresolved: [], pressures: ['MemoryPressure'] };
    expect(waiting).toEqual({
      why: 'a soft eviction threshold is met; its grace period is running',
      actions: [{ does: 'pressure', is }],
      writes: [],
      wakeAt: at(10),
      background: true,
    });
    const [, evict] = after(20, left(299), { state: is as never }).actions ?? [];
    expect(evict).toMatchObject({
      does: 'evict',
      run: { until: at(25), killed: true },
      because: { at: at(20), signal: 'memory.available', available: 299, limit: 300, metForMs: 20_000, graceMs: 20_000 },
    });
  });

  it('with a hard threshold evicts at once, without grace, and says why', () => {
    const message = 'The node was low on resource: memory. Container c was using 4Ki, which exceeds its request of 1Ki. ';
    expect(after(3, left(99))).toEqual({
      why: `hog is evicted: ${message.trim()}`,
      actions: [
        {
          does: 'pressure',
          is: {
            ...metSince(3, 'hard memory.available 100', 'MemoryPressure', HARD_MEMORY),
            since: { 'hard memory.available 100': at(3), 'soft memory.available 300': at(3) },
            leaving: { uid: 'uid-hog', since: at(3) },
          },
        },
        {
          does: 'evict',
          uid: 'uid-hog',
          run: { ...killed(RUN, at(3), 0), failure: { reason: 'Evicted', message } },
          because: { at: at(3), signal: 'memory.available', available: 99, limit: 100, metForMs: 0, graceMs: 0 },
        },
      ],
      writes: [attempting('memory'), warning(HOG.pod, 'Evicted', message)],
      enqueue: ['default/hog'],
      wakeAt: at(4),
      background: true,
    });
  });

  it('waits for the evicted pod, for less than thirty seconds', () => {
    const state = { ...freshEviction, leaving: { uid: 'uid-hog', since: at(0) } };
    const why = (seconds: number, more: Partial<EvictionContext> = {}) => after(seconds, left(99), { state, ...more }).why;
    expect(after(29.999, left(99), { state })).toEqual({
      why: 'waiting for the evicted pod to end',
      writes: [],
      wakeAt: at(30.999),
      background: true,
    });
    expect(why(30)).toMatch(/^hog is evicted/);
    expect(why(1, { runningPods: [runningPod('other', { memory: 1 })] })).toMatch(/^other is evicted/);
  });

  it('finds no pod to evict where all are critical, or ending', () => {
    const critical = runningPod('vital', { memory: 9 }, {}, { priority: 2_000_000_000 });
    const ending = { ...HOG, run: { ...RUN, failure: { reason: 'Evicted', message: '' } } };
    const expected = { why: 'an eviction threshold is met, and there is no pod to evict', writes: [attempting('memory')], wakeAt: at(10) };
    expect(after(0, left(0), { runningPods: [critical, ending] })).toMatchObject(expected);
    expect(after(0, left(0), { runningPods: [] })).toMatchObject(expected);
    const less = runningPod('less', { memory: 9 }, {}, { priority: 1_999_999_999 });
    expect(after(0, left(0), { runningPods: [critical, less] }).why).toMatch(/^less is evicted/);
  });
});

describe('on a full disk', () => {
  const unusedImages = { names: ['a:1', 'b:1'], bytes: 60 };
  const removal = unusedImages.names.map((image) => ({ does: 'removeImage', image }));
  const pressure = { does: 'pressure', is: metSince(0, 'hard nodefs.available 10%', 'DiskPressure', DISK) };

  it('unused images are removed first, and that is enough if it reclaims the minimum too', () => {
    expect(after(0, left(1_000, 90), { unusedImages })).toEqual({
      why: 'removing unused images was enough',
      actions: [pressure, ...removal],
      writes: [attempting('ephemeral-storage')],
      wakeAt: at(10),
      background: true,
    });
  });

  it('unused images are removed, and a pod is evicted, where that is not enough', () => {
    const { actions, why, writes } = after(0, left(1_000, 89), { unusedImages });
    const message = 'The node was low on resource: ephemeral-storage. Container c was using 5000, which exceeds its request of 1000. ';
    expect(why).toBe(`hog is evicted: ${message.trim()}`);
    expect(actions?.slice(2)).toEqual(removal);
    expect(writes).toEqual([attempting('ephemeral-storage'), warning(HOG.pod, 'Evicted', message)]);
    expect(after(0, left(1_000, 89), { unusedImages, runningPods: [] }).actions?.slice(1)).toEqual(removal);
  });

  it('images stay where memory is what is low', () => {
    expect(after(0, left(99), { unusedImages, runningPods: [] }).actions).toHaveLength(1);
  });
});

describe('the message of an eviction', () => {
  const LOW = 'The node was low on resource: ';
  it.each<[string, RunningPod, EvictionContext['observations'], string]>([
    ['names no amount of processes', HOG, left(1_000, 1_000, 99), `${LOW}pids. `],
    ['names no amount within the request', runningPod('p', { memory: 5 }, { requests: { memory: '5' } }), left(9), `${LOW}memory. `],
    [
      'has a request of 0 where there is none',
      runningPod('p', { memory: 1 }),
      left(9),
      `${LOW}memory. Container c was using 1, which exceeds its request of 0. `,
    ],
  ])('%s', (_, one, observations, message) => {
    expect(after(0, observations, { runningPods: [one] }).writes[1]).toMatchObject({ event: { reason: 'Evicted', message } });
  });

  it('is about a limit of storage, whatever is available, where storage is isolated', () => {
    const limited = (disk: number) => runningPod('p', { disk }, { limits: { 'ephemeral-storage': '100' } });
    const look = (disk: number, isolatesStorage = true) =>
      after(0, left(1_000), { runningPods: [limited(disk)], settings: { ...SETTINGS, isolatesStorage } });
    const message = 'Container c exceeded its local ephemeral storage limit "100". ';
    expect(look(101).actions?.[1]).toEqual({
      does: 'evict',
      uid: 'uid-p',
      run: { ...killed(RUN, at(0), 0), failure: { reason: 'Evicted', message } },
    });
    expect([look(100).why, look(101, false).why]).toEqual(['no eviction threshold is met', 'no eviction threshold is met']);
  });
});

describe('usage', () => {
  const usage = createUsage(
    [
      {
        memory: { shape: 'ramp', from: 0, to: 100, overMs: 100_000 },
        disk: { shape: 'constant', is: 30 },
        pids: { shape: 'constant', is: 2 },
      },
      { system: true, memory: { shape: 'constant', is: 5 }, disk: { shape: 'constant', is: 6 }, pids: { shape: 'constant', is: 1 } },
    ],
    at(0),
  );
  const pod = barePod('p');

  it('of a pod is that of its running containers; of stopped ones the disk stays as it was', () => {
    const ended = passed(started({ runForMs: 20_000 }), at(50), 0);
    const by = (run: Run, seconds: number, runs: boolean) => usedBy(usage, pod, run, at(seconds), runs);
    expect(by(RUN, 40, true)).toEqual({ cpu: 0, memory: 40, disk: 30, pids: 2 });
    expect(by(ended, 50, false)).toEqual({ cpu: 0, memory: 0, disk: 30, pids: 0 });
    expect(by(ended, 15, true)).toEqual({ cpu: 0, memory: 15, disk: 30, pids: 2 });
    expect(by({ ...RUN, startedAt: 0 }, 40, true)).toEqual({ cpu: 0, memory: 0, disk: 0, pids: 0 });
  });

  it('is subtracted from the capacity, and from what is allocatable without the system', () => {
    const used = { cpu: 0, memory: 40, disk: 30, pids: 2 };
    const seen = (capacity: Readonly<Record<string, string>>, reserved = 0) =>
      Object.fromEntries(
        observe(
          usage,
          { name: 'a', capacity },
          'a',
          createWorld().machine('a'),
          [
            { ...HOG, used },
            { ...HOG, used },
          ],
          reserved,
          at(1),
        ),
      );
    const disk = { capacity: 1_000, available: 934 };
    expect(seen({ memory: '1000', 'ephemeral-storage': '1000', pids: '100' }, 10)).toEqual({
      'memory.available': { capacity: 1_000, available: 915 },
      'allocatableMemory.available': { capacity: 990, available: 910 },
      'nodefs.available': disk,
      'imagefs.available': disk,
      'pid.available': { capacity: 100, available: 95 },
    });
    const small = seen({ memory: '50' }, 60);
    expect([small['memory.available'], small['allocatableMemory.available']]).toEqual([
      { capacity: 50, available: 0 },
      { capacity: 0, available: 0 },
    ]);
    const usual = seen({});
    expect([usual['memory.available']?.capacity, usual['nodefs.available']?.capacity, usual['pid.available']?.capacity]).toEqual([
      8 * 2 ** 30,
      2 ** 40,
      32_768,
    ]);
  });
});
