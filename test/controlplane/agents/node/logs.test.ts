/** The logs of containers on a machine: which instances have one, and the lines of an instance. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { created, type Behavior, type Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { logReader, type ContainerLog, type LogInstance } from '../../../../src/controlplane/agents/node/logs.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { at, barePod } from '../../../support/objects.ts';

const names = namesFor('k8s.io');
const BEHAVIOR: Behavior = {
  startDelayMs: 0,
  readyDelayMs: 2_000,
  runForMs: undefined,
  exitCodes: [0],
  terminationDelayMs: 500,
  terminationExitCode: 143,
};
const web = (more: Parameters<typeof barePod>[2] = {}): Pod =>
  barePod('web', 'Running', {
    ...more,
    spec: { nodeName: 'n', containers: [{ name: 'c' }, { name: 'd' }], initContainers: [{ name: 'init' }], ...more.spec },
  });

/** The log of a container of a pod whose machine has it in this state. */
function logOf(run: Partial<Run>, seconds: number, { pod = web(), container = 'c', behavior = {} } = {}): ContainerLog {
  const world = createWorld();
  const start = {
    behavior: { ...BEHAVIOR, ...behavior },
    policy: 'Always',
    attemptsOf: 'web',
    ip: '',
    asks: requestsOf(pod.spec),
    held: false,
    leastStartMs: 0,
  } as const;
  world.machine('n').put(pod.metadata.uid, { ...created(start, at(0)), until: Infinity, ...run });
  return logReader(world, [], names)(pod, container, at(seconds));
}
const instances = ({ current, previous }: ContainerLog): unknown => ({ current, previous });
/** The lines of an instance with their seconds since the start of the day. */
const linesOf = (
  log: ContainerLog,
  instance: LogInstance | undefined,
  how: { readonly most?: number; readonly afterMs?: number } = {},
): readonly string[] =>
  instance === undefined ? [] : log.lines(instance, { most: 100, ...how }).map(({ at: when, text }) => `${(when - at(0)) / 1000} ${text}`);

const exit = (restart: number, startedAt: number, finishedAt: number, code: number) => ({
  restart,
  startedAt: at(startedAt),
  finishedAt: at(finishedAt),
  code,
});
const instance = (restart: number, startedAt: number, elapsedMs: number, more: object = {}) => ({
  restart,
  startedAt: at(startedAt),
  elapsedMs,
  ...more,
});

describe('the instances of a container', () => {
  const running: Partial<Run> = { stage: 'running', startedAt: at(10.25), restarts: 2, last: exit(1, 5, 9, 3) };
  const waiting: Partial<Run> = { stage: 'waiting', backoffMs: 10_000, restarts: 1, last: exit(1, 5.5, 9, 3), previous: exit(0, 1, 2, 4) };
  const ended = (restart: number, startedAt: number, elapsedMs: number, exitCode: number, more: object = {}) =>
    instance(restart, startedAt, elapsedMs, { exitCode, ...more });

  it.each<readonly [string, Partial<Run>, unknown]>([
    ['being created: none', { stage: 'creating' }, { current: undefined, previous: undefined }],
    ['running: this one and the one before', running, { current: instance(2, 10, 9_750), previous: ended(1, 5, 4_000, 3) }],
    ['running the first time: this one', { ...running, last: undefined }, { current: instance(2, 10, 9_750), previous: undefined }],
    [
      'in back-off: the one that ended, which is the previous one too',
      waiting,
      { current: ended(1, 5, 3_500, 3), previous: ended(1, 5, 3_500, 3) },
    ],
    [
      'in the first back-off: the one that ended',
      { ...waiting, backoffMs: 500, previous: undefined },
      { current: ended(1, 5, 3_500, 3), previous: undefined },
    ],
    [
      'in a back-off below ten seconds: also the one before',
      { ...waiting, backoffMs: 9_999 },
      { current: ended(1, 5, 3_500, 3), previous: ended(0, 1, 1_000, 4) },
    ],
    [
      'over: the last one and the one before',
      { ...waiting, stage: 'over' },
      { current: ended(1, 5, 3_500, 3), previous: ended(0, 1, 1_000, 4) },
    ],
    [
      'over before the next start: the one that ran',
      { ...waiting, stage: 'over', previous: exit(0, 5.5, 8, 4) },
      { current: ended(0, 5, 2_500, 4), previous: ended(0, 5, 2_500, 4) },
    ],
    ['over without a start: none', { stage: 'over' }, { current: undefined, previous: undefined }],
  ])('are, %s', (_name, run, expected) => {
    expect(instances(logOf(run, 20))).toEqual(expected);
  });

  const leaving = (grace: number) => web({ meta: { deletionTimestamp: '2024-01-01T00:00:40Z', deletionGracePeriodSeconds: grace } });
  it.each<readonly [string, Partial<Run>, Pod, Partial<Behavior>, unknown]>([
    [
      'before they end by their delay',
      { ...running, signalled: 143, until: at(20) },
      leaving(30),
      {},
      instance(2, 10, 9_750, { signalMs: 9_250 }),
    ],
    [
      'a grace period before they are killed',
      { ...running, signalled: 137, until: at(50) },
      leaving(30),
      {},
      instance(2, 10, 9_750, { signalMs: 9_750 }),
    ],
    ['never, if they are killed at once', { ...running, signalled: 137, until: at(20) }, leaving(0), {}, instance(2, 10, 9_750)],
    ['never, if no grace period is known', { ...running, signalled: 137, until: at(20) }, web(), {}, instance(2, 10, 9_750)],
    [
      'before they end with 137 by themselves',
      { ...running, signalled: 137, until: at(20) },
      leaving(30),
      { terminationExitCode: 137 },
      instance(2, 10, 9_750, { signalMs: 9_250 }),
    ],
    [
      'at their start at the earliest',
      { ...running, startedAt: at(19.9), signalled: 143, until: at(20.25) },
      leaving(30),
      {},
      instance(2, 19, 100, { signalMs: 0 }),
    ],
    [
      'before they ended',
      { stage: 'over', signalled: 143, last: exit(0, 5, 9, 143) },
      leaving(30),
      {},
      ended(0, 5, 4_000, 143, { signalMs: 3_500 }),
    ],
  ])('got the signal %s', (_name, run, pod, behavior, expected) => {
    expect(instances(logOf(run, 20, { pod, behavior }))).toMatchObject({ current: expected });
    if (!('signalMs' in (expected as object))) expect(logOf(run, 20, { pod, behavior }).current).not.toHaveProperty('signalMs');
  });
});

it('a status does not matter while the machine has the pod, except for init containers', () => {
  const terminated = (exitCode: number) => ({
    terminated: { startedAt: '2024-01-01T00:00:01Z', finishedAt: '2024-01-01T00:00:02Z', exitCode },
  });
  const status = {
    containerStatuses: [{ name: 'c', restartCount: 3, state: terminated(1) }],
    initContainerStatuses: [{ name: 'init', restartCount: 0, state: terminated(0) }],
  };
  const pod = web({ status });
  expect(instances(logOf({ stage: 'creating' }, 20, { pod }))).toEqual({ current: undefined, previous: undefined });
  expect(instances(logOf({ stage: 'creating' }, 20, { pod, container: 'init' }))).toEqual({
    current: instance(0, 1, 1_000, { exitCode: 0 }),
    previous: undefined,
  });
});

describe('the lines of an instance', () => {
  const running: Partial<Run> = { stage: 'running', startedAt: at(10.25), restarts: 2 };
  const lines = (
    run: Partial<Run>,
    seconds: number,
    how: Parameters<typeof logOf>[2] = {},
    which: Parameters<typeof linesOf>[2] = {},
  ): readonly string[] => {
    const log = logOf(run, seconds, how);
    return linesOf(log, log.current, which);
  };
  const over = (code: number, signalled?: number): Partial<Run> => ({ stage: 'over', signalled, last: exit(0, 10, 14, code) });

  it('are in words, if the behaviour names none', () => {
    expect([11, 12, 13].map((seconds) => lines(running, seconds))).toEqual([['10 started'], ['10 started'], ['10 started', '12 ready']]);
    expect(lines(over(1), 20)).toEqual(['10 started', '12 ready', '14 exiting with code 1']);
    const leaving = web({ meta: { deletionGracePeriodSeconds: 30 } });
    expect(lines(over(143, 143), 20, { pod: leaving })).toEqual([
      '10 started',
      '12 ready',
      '13.5 received SIGTERM',
      '14 exiting with code 143',
    ]);
    const pod = web({
      status: {
        initContainerStatuses: [
          {
            name: 'init',
            restartCount: 0,
            state: { terminated: { startedAt: '2024-01-01T00:00:01Z', finishedAt: '2024-01-01T00:00:05Z', exitCode: 0 } },
          },
        ],
      },
    });
    expect(lines(running, 20, { pod, container: 'init' })).toEqual(['1 started', '5 exiting with code 0']);
  });

  const log = (...specs: NonNullable<Behavior['log']>) => ({ behavior: { log: specs } });
  it('are printed when the behaviour says', () => {
    const all = log(
      { line: 'success', when: 'success' },
      { line: 'failure', when: 'failure' },
      { line: 'exit', when: 'exit' },
      { line: 'start', when: 'start' },
      { line: 'late', atMs: 3_000 },
      'text',
    );
    expect(lines(running, 20, all)).toEqual(['10 start', '10 text', '13 late']);
    expect(lines(over(0), 20, all)).toEqual(['10 start', '10 text', '13 late', '14 success', '14 exit']);
    expect(lines(over(2), 20, all)).toEqual(['10 start', '10 text', '13 late', '14 failure', '14 exit']);
  });

  it('come again and again, the first time after one period', () => {
    expect(lines(running, 14.25, log({ line: 'tick {n}', everyMs: 1_000 }))).toEqual(['11 tick 1', '12 tick 2', '13 tick 3', '14 tick 4']);
    expect(lines(running, 14.24, log({ line: 'tick {n}', everyMs: 1_000, atMs: 500 }))).toEqual([
      '10.5 tick 1',
      '11.5 tick 2',
      '12.5 tick 3',
      '13.5 tick 4',
    ]);
    expect(lines(running, 10.5, log({ line: 'tick {n}', everyMs: 1_000 }))).toEqual([]);
  });

  it('are the last ones, in the order of the behaviour at the same time', () => {
    const two = log({ line: 'a{n}', everyMs: 1_000 }, { line: 'b{n}', everyMs: 2_000 });
    expect(lines(running, 14.25, two)).toEqual(['11 a1', '12 a2', '12 b1', '13 a3', '14 a4', '14 b2']);
    expect(lines(running, 14.25, two, { most: 3 })).toEqual(['13 a3', '14 a4', '14 b2']);
    expect(lines(running, 14.25, two, { most: 0 })).toEqual([]);
    expect([1_999, 2_000].map((afterMs) => lines(running, 14.25, two, { afterMs }))).toEqual([
      ['12 a2', '12 b1', '13 a3', '14 a4', '14 b2'],
      ['13 a3', '14 a4', '14 b2'],
    ]);
  });

  it('are those of the container, and of the first one also those that name none', () => {
    const mixed = log('any', { line: 'c', container: 'c' }, { line: 'd', container: 'd' });
    expect(lines(running, 11, mixed)).toEqual(['10 any', '10 c']);
    expect(lines(running, 11, { ...mixed, container: 'd' })).toEqual(['10 d']);
    expect(lines(running, 11, { ...log('any'), container: 'd' })).toEqual(['10 started']);
    expect(lines(running, 11, log())).toEqual([]);
  });

  it('say where they come from', () => {
    const text = '{pod} {namespace} {node} {container} {restart} {code} {n} {other}';
    expect(lines(running, 11, log(text))).toEqual(['10 web default n c 2  1 {other}']);
    expect(lines(over(7), 20, log(text))).toEqual(['10 web default n c 0 7 1 {other}']);
    const bare = web({ meta: { namespace: undefined } });
    const reader = logReader(createWorld(), [{ log: [text] }], names)(
      { ...bare, spec: { ...bare.spec, nodeName: undefined } } as unknown as Pod,
      'c',
      at(60),
    );
    expect(linesOf(reader, { restart: 0, startedAt: at(1), elapsedMs: 0 })).toEqual(['1 web   c 0  1 {other}']);
  });
});
