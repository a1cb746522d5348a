/** The states of containers as values: every step returns a new state, and changes no earlier one. */
import { describe, expect, it } from 'vitest';
import { created, isHeld, killed, passed, released } from '../../../../src/controlplane/agents/node/containers.ts';
import type { Behavior, Run, Start } from '../../../../src/controlplane/agents/node/containers.ts';
import { requestsOf } from '../../../../src/controlplane/shared/index.ts';

const behavior: Behavior = {
  startDelayMs: 100,
  readyDelayMs: 50,
  runForMs: 1_000,
  exitCodes: [1, 1, 0],
  terminationDelayMs: 200,
  terminationExitCode: 143,
};
const start = (how: Partial<Start> = {}): Run =>
  Object.freeze(
    created(
      {
        behavior,
        policy: 'OnFailure',
        attemptsOf: 'job',
        ip: '10.244.0.1',
        asks: requestsOf({ containers: [] }),
        held: false,
        leastStartMs: 0,
        ...how,
      },
      0,
    ),
  );
const at = (run: Run, now: number, others = 0): Run => Object.freeze(passed(run, now, others));

describe('containers', () => {
  it('start, exit, wait and start again, each attempt with its own code', () => {
    const stages = [99, 100, 1_100, 1_600, 2_600, 12_600, 13_600].map((now) => at(start(), now));
    expect(stages.map(({ stage, restarts, last }) => [stage, restarts, last?.code])).toEqual([
      ['creating', 0, undefined],
      ['running', 0, undefined],
      ['waiting', 0, 1],
      ['running', 1, 1],
      ['waiting', 1, 1],
      ['running', 2, 1],
      ['over', 2, 0],
    ]);
  });

  it('are the same whether time passes at once or in steps', () => {
    let stepwise = start();
    for (let now = 0; now <= 13_600; now += 50) stepwise = at(stepwise, now);
    expect(stepwise).toEqual(at(start(), 13_600));
  });

  it('count the attempts of other pods of their owner', () => {
    expect(at(start(), 1_100, 2)).toMatchObject({ stage: 'over', last: { code: 0 }, attempts: 1 });
  });

  it('wait for volumes until they are released', () => {
    const held = start({ held: true });
    expect([isHeld(held), isHeld(at(held, 1e9))]).toEqual([true, true]);
    expect(at(released(held, 500, 0), 600)).toMatchObject({ stage: 'running', startedAt: 600 });
    expect(at(released(held, 500, 300), 600).stage).toBe('creating');
  });

  it('exit within their grace period, by themselves or killed, without using up an attempt', () => {
    const running = at(start(), 500);
    expect(at(killed(running, 500, 30_000), 700)).toMatchObject({ stage: 'over', last: { code: 143 }, attempts: 0 });
    expect(at(killed(running, 500, 100), 600)).toMatchObject({ stage: 'over', last: { code: 137 } });
    expect(at(killed(killed(running, 500, 30_000), 550, 0), 550)).toMatchObject({ stage: 'over' });
    expect(killed(start(), 50, 0)).toMatchObject({ stage: 'over', last: undefined });
    const waiting = at(start(), 1_200);
    expect(killed(waiting, 1_200, 0)).toMatchObject({ stage: 'over', last: { code: 143, finishedAt: 1_200 }, previous: { code: 1 } });
  });
});
