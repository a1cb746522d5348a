/** Containers of a restored cluster: what a machine has of a pod that only its status describes, and how it goes on. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { adoptPods } from '../../../../src/controlplane/agents/node/adopt.ts';
import type { Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { createWorld, type Machine } from '../../../../src/controlplane/agents/node/machine.ts';
import type { PodBehavior } from '../../../../src/controlplane/agents/specs.ts';
import { at, barePod } from '../../../support/objects.ts';

const NOW = 100;
const time = (seconds: number): string => new Date(at(seconds)).toISOString().replace('.000', '');
const isReady = [{ type: 'Ready', status: 'True' }];
const podWith = (
  containers: readonly object[],
  { spec = {}, ...status }: { readonly spec?: object; readonly [field: string]: unknown } = {},
): Pod =>
  barePod('p', 'Running', {
    spec: { nodeName: 'n', restartPolicy: 'Always', ...spec },
    status: { podIP: '10.1.0.5', conditions: [], containerStatuses: containers.map((each) => ({ restartCount: 0, ...each })), ...status },
  });
function machineWith(pod: Pod, behavior: PodBehavior = {}, volumes: readonly string[] = []): Machine {
  const world = createWorld();
  adoptPods(world, { pods: [pod], behaviors: [behavior], names: namesFor('k8s.io'), now: at(NOW), volumesOf: () => volumes });
  return world.machine('n');
}
function adopted(pod: Pod, behavior: PodBehavior = {}): Run | undefined {
  return machineWith(pod, behavior).run('uid-p');
}
/** The instants of a run in seconds, with what else tells its state. */
function stateOf(run: Run | undefined): object | undefined {
  if (run === undefined) return undefined;
  const seconds = (instant: number): number => (Number.isFinite(instant) ? (instant - at(0)) / 1_000 : instant);
  const { stage, restarts, attempts, backoffMs, startedAt, readyAt, until, reported } = run;
  return {
    stage,
    restarts,
    attempts,
    backoffMs,
    startedAt: startedAt === 0 ? 0 : seconds(startedAt),
    readyAt: seconds(readyAt),
    until: seconds(until),
    reported,
  };
}
const fresh = { restarts: 0, attempts: 0, backoffMs: 0, startedAt: 0, readyAt: Infinity };
const running = (seconds: number) => ({ state: { running: { startedAt: time(seconds) } } });
const terminated = (from: number | undefined, to: number | undefined, exitCode: number, more: object = {}) => ({
  terminated: {
    exitCode,
    ...(from === undefined ? {} : { startedAt: time(from) }),
    ...(to === undefined ? {} : { finishedAt: time(to) }),
    ...more,
  },
});
const waiting = (reason: string, message?: string) => ({ waiting: { reason, message } });

describe('running containers', () => {
  const runs = { ...fresh, stage: 'running' };

  it.each<readonly [string, Pod, PodBehavior, object]>([
    [
      'go on',
      podWith([running(50)], { conditions: isReady }),
      {},
      { startedAt: 50, readyAt: 50, until: Infinity, reported: 'running/0/0/true//false' },
    ],
    [
      'began with the first of them',
      podWith([running(50), running(40)], { conditions: isReady }),
      {},
      { startedAt: 40, readyAt: 40, until: Infinity, reported: 'running/0/0/true//false' },
    ],
    [
      'exit when their behaviour says',
      podWith([running(50)], { conditions: isReady }),
      { runForMs: 60_000 },
      { startedAt: 50, readyAt: 50, until: 110, reported: 'running/0/0/true//false' },
    ],
    [
      'exit soon, if they should have',
      podWith([running(50)], { conditions: isReady }),
      { runForMs: 50_000 },
      { startedAt: 50, readyAt: 50, until: 100.001, reported: 'running/0/0/true//false' },
    ],
    [
      'stay unready',
      podWith([running(50)]),
      {},
      { startedAt: 50, readyAt: Infinity, until: Infinity, reported: 'running/0/0/false//false' },
    ],
    [
      'get ready when their behaviour says',
      podWith([running(50)]),
      { readyDelayMs: 60_000 },
      { startedAt: 50, readyAt: 110, until: Infinity, reported: 'running/0/0/false//false' },
    ],
    [
      'get ready soon, if they should be',
      podWith([running(50)]),
      { readyDelayMs: 1_000 },
      { startedAt: 50, readyAt: 100.001, until: Infinity, reported: 'running/0/0/false//false' },
    ],
    [
      'that began later than now are ready',
      podWith([running(150)], { conditions: isReady }),
      {},
      { startedAt: 150, readyAt: 100, until: Infinity, reported: 'running/0/0/true//false' },
    ],
  ])('%s', (_name, pod, behavior, expected) => {
    expect(stateOf(adopted(pod, behavior))).toEqual({ ...runs, ...expected });
  });

  it.each([
    ['no condition', []],
    ['another condition', [{ type: 'Initialized', status: 'True' }]],
    ['the condition False', [{ type: 'Ready', status: 'False' }]],
  ])('are unready with %s', (_name, conditions) => {
    expect(adopted(podWith([running(50)], { conditions }))?.readyAt).toBe(Infinity);
  });

  it('have their address, their restarts, and the last exit', () => {
    const pod = podWith([
      { ...running(50), restartCount: 2, lastState: terminated(10, 20, 3) },
      { ...running(50), restartCount: 4, lastState: terminated(12, 30, 4, { reason: 'OOMKilled' }) },
    ]);
    const last = { code: 4, startedAt: at(12), finishedAt: at(30), restart: 4, oom: true };
    expect(adopted(pod)).toMatchObject({
      ip: '10.1.0.5',
      restarts: 4,
      attempts: 4,
      policy: 'Always',
      attemptsOf: 'uid-p',
      isAdopted: true,
      last,
      previous: last,
    });
    expect(adopted(podWith([running(50)], { podIP: undefined }))).toMatchObject({ ip: '' });
  });

  it('use the volumes that the node has in use', () => {
    const pod = podWith([running(50)]);
    expect([...machineWith(pod, {}, ['v']).volumesOf]).toEqual([['uid-p', ['v']]]);
    expect([...machineWith(pod).volumesOf]).toEqual([]);
  });
});

describe('containers that restart', () => {
  const ended = { ...terminated(10, 60, 3) };
  const loop = (message: string | undefined, restartCount = 2) =>
    podWith([{ restartCount, state: waiting('CrashLoopBackOff', message), lastState: ended }]);

  it.each<readonly [string, Pod, number, number]>([
    ['minutes and seconds', loop('back-off 1m20s restarting failed container=c'), 80_000, 140],
    ['seconds', loop('back-off 40s restarting failed container=c'), 40_000, 100.001],
    ['the restarts, if there is no message', loop(undefined), 20_000, 100.001],
    ['the restarts, five minutes at most', loop('x', 9), 300_000, 360],
    ['one restart', loop(undefined, 1), 10_000, 100.001],
    ['no restart', loop(undefined, 0), 500, 100.001],
  ])('wait as long as %s say', (_name, pod, backoffMs, until) => {
    expect(stateOf(adopted(pod))).toMatchObject({ stage: 'waiting', backoffMs, startedAt: 10, until });
  });

  it('run as long as the last time, with the same exit code, unless their behaviour says otherwise', () => {
    expect(adopted(loop('back-off 5m0s'))?.behavior).toMatchObject({ runForMs: 50_000, exitCodes: [3] });
    expect(adopted(loop('back-off 5m0s'), { runForMs: 7, exitCodes: [9] })?.behavior).toMatchObject({ runForMs: 7, exitCodes: [9] });
    const odd = podWith([{ state: waiting('CrashLoopBackOff'), lastState: terminated(60, 10, 3) }]);
    expect(adopted(odd)?.behavior.runForMs).toBe(0);
  });

  it('may have ended without a time, or not at all', () => {
    const untimed = podWith([{ restartCount: 1, state: waiting('CrashLoopBackOff'), lastState: terminated(undefined, undefined, 3) }]);
    expect(adopted(untimed)).toMatchObject({ last: { code: 3, startedAt: at(NOW), finishedAt: at(NOW), restart: 1 }, until: at(NOW + 10) });
    const never = podWith([{ restartCount: 1, state: waiting('CrashLoopBackOff') }]);
    expect(stateOf(adopted(never))).toMatchObject({ stage: 'waiting', startedAt: 100, until: 110 });
    expect(adopted(never)?.behavior.runForMs).toBeUndefined();
  });

  it('are those that have ended, unless they never restart', () => {
    const pod = (restartPolicy: string) => podWith([{ state: ended }], { spec: { restartPolicy } });
    expect(stateOf(adopted(pod('OnFailure')))).toMatchObject({
      stage: 'waiting',
      backoffMs: 500,
      reported: `waiting/0/500/false/${at(60)}/false`,
    });
    expect(stateOf(adopted(pod('Never')))).toMatchObject({ stage: 'running', startedAt: 0, until: Infinity });
  });
});

describe('containers that have not started', () => {
  it('start when their behaviour says, a millisecond from now at the earliest', () => {
    for (const reason of ['ContainerCreating', 'PodInitializing']) {
      const pod = podWith([{ state: waiting(reason) }]);
      expect(stateOf(adopted(pod))).toEqual({ ...fresh, stage: 'creating', until: 100.001, reported: 'creating/0/0/false//false' });
      expect(stateOf(adopted(pod, { startDelayMs: 5_000 }))).toMatchObject({ until: 105 });
    }
  });

  it('stay as they are, if they cannot be created', () => {
    const stuck = { ...fresh, stage: 'running', until: Infinity, reported: 'running/0/0/false//false' };
    expect(stateOf(adopted(podWith([{ state: waiting('ImagePullBackOff') }])))).toEqual(stuck);
  });

  it.each<readonly [string, object | undefined, object]>([
    ['runs: the others wait', { running: { startedAt: time(90) } }, { stage: 'creating', until: 100.001 }],
    ['has ended: the others run', terminated(80, 90, 0), { stage: 'running', startedAt: 95 }],
    ['waits: all wait', waiting('PodInitializing'), { stage: 'creating', until: 100.001 }],
    ['is created: all wait', waiting('ContainerCreating'), { stage: 'creating', until: 100.001 }],
    ['has no state: all wait', undefined, { stage: 'creating', until: 100.001 }],
    ['fails: all stay so', waiting('ErrImagePull'), { stage: 'running', startedAt: 0, until: Infinity }],
  ])('depend on an init container that %s', (name, state, expected) => {
    const container = name.startsWith('runs') ? { state: waiting('PodInitializing') } : running(95);
    expect(stateOf(adopted(podWith([container], { initContainerStatuses: [{ restartCount: 0, state }] })))).toMatchObject(expected);
  });
});

describe('a pod', () => {
  it('that is over leaves only the attempts of its owner on the machine', () => {
    const pod = (phase: string, more: object = {}) => podWith([{ restartCount: 2, state: terminated(10, 60, 3) }], { phase, ...more });
    for (const phase of ['Succeeded', 'Failed']) {
      const machine = machineWith(pod(phase), {}, ['v']);
      expect([[...machine.uids()], machine.attempts('uid-p'), [...machine.volumesOf], machine.booked.pods]).toEqual([[], 3, [], 0]);
    }
    const waitingForInit = machineWith(pod('Failed', { initContainerStatuses: [{ state: waiting('PodInitializing') }] }));
    expect(waitingForInit.attempts('uid-p')).toBe(3);
  });

  it.each([
    ['without a node', podWith([running(50)], { spec: { nodeName: undefined } })],
    ['with an empty node name', podWith([running(50)], { spec: { nodeName: '' } })],
    ['without containers', podWith([])],
  ])('%s is left out', (_name, pod) => {
    const world = createWorld();
    adoptPods(world, {
      pods: [pod, podWith([running(1)], {})],
      behaviors: [],
      names: namesFor('k8s.io'),
      now: at(NOW),
      volumesOf: () => [],
    });
    expect(world.contents('n', () => 'name')).toHaveLength(1);
    expect(world.contents('', () => 'name')).toBeUndefined();
  });
});
