/** The status that an agent reports of a pod, by the state of its containers. */
import { describe, expect, it } from 'vitest';
import type { PodStatus } from '../../../../src/apiserver/machinery/index.ts';
import { created, killed, passed } from '../../../../src/controlplane/agents/node/containers.ts';
import type { Behavior, RestartPolicy, Run } from '../../../../src/controlplane/agents/node/containers.ts';
import { podStatus } from '../../../../src/controlplane/agents/node/pod-status.ts';
import { createWorld } from '../../../../src/controlplane/agents/index.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, barePod } from '../../../support/objects.ts';

const machine = createWorld(0).machine('node-0');
const POD = barePod('p', 'Pending');

/** Containers that run for a second each time and exit with these codes, one after the other. */
function containers(policy: RestartPolicy, exitCodes: readonly number[], more: Partial<Behavior> = {}): Run {
  const behavior: Behavior = {
    startDelayMs: 0,
    readyDelayMs: 0,
    runForMs: 1_000,
    exitCodes,
    terminationDelayMs: 0,
    terminationExitCode: 0,
    ...more,
  };
  const asks = requestsOf({ containers: [] });
  return created({ behavior, policy, attemptsOf: 'p', ip: '10.0.0.1', asks, held: false, leastStartMs: 0 }, at(0));
}

/** The status reported so many seconds after the start, given the previous status `before`. */
const reported = (run: Run, seconds: number, before: PodStatus = POD.status): PodStatus =>
  podStatus({ ...POD, status: before }, passed(run, at(seconds), 0), machine, { now: at(seconds), wall: at(seconds) });

const first = ({ containerStatuses }: PodStatus) => containerStatuses?.[0];

describe('the status of a pod', () => {
  it.each<[string, Run, number, string]>([
    [
      'runs on where its containers are always started again, though they were stopped and ended well',
      killed(passed(containers('Always', [0]), at(0.5), 0), at(0.5), 30_000),
      0.5,
      'Running',
    ],
    ['has succeeded where they are started again on failure alone, and ended well', containers('OnFailure', [0]), 1, 'Succeeded'],
    ['runs on where they are started again on failure, and failed', containers('OnFailure', [1]), 1, 'Running'],
    ['has failed where they are never started again, and failed', containers('Never', [1]), 1, 'Failed'],
    ['is pending where nothing ever ran', killed(containers('Never', [1], { startDelayMs: 500 }), at(0), 0), 0, 'Pending'],
  ])('%s', (_, run, seconds, phase) => {
    expect(reported(run, seconds).phase).toBe(phase);
  });

  it('has transition times of the last change, not of the last report', () => {
    const run = containers('Always', [1], { startDelayMs: 5_000, readyDelayMs: 5_000, runForMs: 60_000 });
    const since = (status: PodStatus): Readonly<Record<string, string | null | undefined>> =>
      Object.fromEntries((status.conditions ?? []).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]));
    const creating = reported(run, 1);
    const running = reported(run, 7, creating);
    const ready = reported(run, 12, running);
    expect(since(running)).toEqual({ Initialized: formatTime(at(1)), Ready: formatTime(at(1)), ContainersReady: formatTime(at(1)) });
    expect(since(ready)).toEqual({ Initialized: formatTime(at(1)), Ready: formatTime(at(12)), ContainersReady: formatTime(at(12)) });
    expect(since(reported(run, 40, ready))).toEqual(since(ready));
  });

  it('has the previous exit as lastState, during the first restart and at the end', () => {
    const run = containers('OnFailure', [1, 0]);
    const shown = (seconds: number): readonly unknown[] => {
      const { state, lastState } = first(reported(run, seconds)) ?? {};
      return [Object.keys(state ?? {}), state?.terminated?.exitCode, lastState?.terminated?.exitCode];
    };
    expect(shown(0.5)).toEqual([['running'], undefined, undefined]);
    expect(shown(1.2)).toEqual([['terminated'], 1, undefined]);
    expect(shown(2)).toEqual([['running'], undefined, 1]);
    expect(shown(2.5)).toEqual([['terminated'], 0, 1]);
  });

  it('calls it a crash loop from the second restart on: the first comes at once', () => {
    const run = containers('Always', [1]);
    const { state, lastState } = first(reported(run, 2.6)) ?? {};
    expect([1.2, 2.6].map((seconds) => first(reported(run, seconds))?.state?.waiting?.reason)).toEqual([undefined, 'CrashLoopBackOff']);
    expect(state?.waiting?.message).toBe('back-off 10s restarting failed container');
    expect(lastState?.terminated?.exitCode).toBe(1);
  });
});
