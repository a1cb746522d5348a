/** The instances of a container that have a log, where only the status of its pod knows of them. */
import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../../src/apiserver/machinery/index.ts';
import { logReader, type ContainerLog } from '../../../../src/controlplane/agents/node/logs.ts';
import { createWorld } from '../../../../src/controlplane/agents/node/machine.ts';
import type { PodBehavior } from '../../../../src/controlplane/agents/specs.ts';
import { at, barePod } from '../../../support/objects.ts';

const names = namesFor('k8s.io');
const instance = (restart: number, startedAt: number, elapsedMs: number, more: object = {}) => ({
  restart,
  startedAt: at(startedAt),
  elapsedMs,
  ...more,
});

describe('the instances that a status reports', () => {
  const time = (seconds: number): string => new Date(at(seconds)).toISOString().replace('.000', '');
  const terminated = (from: number, to: number, exitCode: number | undefined) => ({
    terminated: { startedAt: time(from), finishedAt: time(to), exitCode },
  });
  const reported = (state: object | undefined, lastState: object | undefined, behavior: PodBehavior = {}, container = 'c'): unknown => {
    const status = { name: container, restartCount: 3, state, lastState };
    const pod = barePod('web', 'Running', {
      spec: { containers: [{ name: 'c' }, { name: 'd' }], initContainers: [{ name: 'init' }] },
      status: container === 'init' ? { initContainerStatuses: [status] } : { containerStatuses: [{ name: 'd' }, status] },
    });
    const { current, previous } = logReader(createWorld(), [behavior], names)(pod, container, at(60));
    return { current, previous };
  };
  const none = { current: undefined, previous: undefined };

  it.each([
    ['nothing', undefined, undefined, none],
    ['waiting', { waiting: {} }, {}, none],
    ['running', { running: { startedAt: time(50) } }, undefined, { current: instance(3, 50, 10_000), previous: undefined }],
    ['running from later on', { running: { startedAt: time(61) } }, undefined, { current: instance(3, 61, 0), previous: undefined }],
    [
      'running again',
      { running: { startedAt: time(50) } },
      terminated(10, 20, 1),
      { current: instance(3, 50, 10_000), previous: instance(2, 10, 10_000, { exitCode: 1 }) },
    ],
    ['terminated', terminated(10, 20, 1), undefined, { current: instance(3, 10, 10_000, { exitCode: 1 }), previous: undefined }],
    [
      'terminated again',
      terminated(30, 35, undefined),
      terminated(10, 20, 1),
      { current: instance(3, 30, 5_000, { exitCode: 0 }), previous: instance(2, 10, 10_000, { exitCode: 1 }) },
    ],
    [
      'waiting again',
      { waiting: {} },
      terminated(10, 20, 1),
      { current: instance(2, 10, 10_000, { exitCode: 1 }), previous: instance(2, 10, 10_000, { exitCode: 1 }) },
    ],
    [
      'terminated by a signal',
      terminated(10, 20, 143),
      undefined,
      { current: instance(3, 10, 10_000, { exitCode: 143, signalMs: 10_000 }), previous: undefined },
    ],
    ['terminated without times', { terminated: { exitCode: 1 } }, undefined, none],
    ['terminated without an end', { terminated: { exitCode: 1, startedAt: time(10) } }, undefined, none],
  ])('are, %s', (_name, state, lastState, expected) => {
    expect(reported(state, lastState)).toEqual(expected);
    expect(reported(state, lastState, {}, 'init')).toEqual(expected);
  });

  it('have the length of their behaviour, to which a status with seconds is near', () => {
    const state = terminated(10, 20, 0);
    expect(
      [8_999, 9_000, 10_400, 11_000, 11_001].map(
        (runForMs) => (reported(state, undefined, { runForMs }) as ContainerLog).current?.elapsedMs,
      ),
    ).toEqual([10_000, 9_000, 10_400, 11_000, 10_000]);
    expect(reported(terminated(10, 20, 143), undefined, { terminationDelayMs: 4_000 })).toMatchObject({ current: { signalMs: 6_000 } });
  });
});
