/** A cluster that never settles is detected from its pending events, long before the limits, with the cause of the activity. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const template = 'template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }';
const cronJob = (name: string, schedule: string, spec = '') =>
  `    - apply: { apiVersion: batch/v1, kind: CronJob, metadata: { name: ${name} }, spec: { ${spec}schedule: "${schedule}", jobTemplate: { spec: { ${template} } } } }\n`;
const scenario = (steps: string, spec = '') =>
  scenarioIn(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: awake }\nspec:\n${spec}  steps:\n${steps}`);
const settled = '    - { when: settled, note: "It rests." }\n';

describe('what never settles', () => {
  it.each([
    ['* * * * *', 'CronJob/a fires every minute'],
    ['*/5 * * * *', 'CronJob/a fires every 5m'],
    ['0 3 * * *', 'CronJob/a fires every day'],
    ['0 0 1 1 *', 'CronJob/a fires every 365d'],
  ])('is a schedule %s, reported at once', (schedule, who) => {
    const run = simulate(scenario(cronJob('a', schedule) + settled));
    expect(run.verdict).toBe('unsettled');
    expect(run.failures.map(({ message }) => message)).toEqual([`it never settles: ${who}: add \`until\``]);
    expect(run.lengthMs).toBe(0);
    expect(run.steps).toBeLessThan(1_000);
  });

  it('is a schedule where no step waits: the run has no end of its own', () => {
    const run = simulate(scenario(cronJob('a', '* * * * *') + cronJob('b', '* * * * *')));
    expect(run.failures.map(({ message }) => message)).toEqual([
      'it never settles: CronJob/a fires every minute (and 1 more like it): add `until`',
    ]);
  });

  it('has another remedy where there is an end', () => {
    const run = simulate(scenario(cronJob('a', '* * * * *') + settled, '  until: 1h\n'));
    expect(run.failures.map(({ message }) => message)).toEqual([expect.stringMatching(/wait for an instant \(`at`, `after`\)/)]);
  });

  it('is a schedule whose runs overlap, so that the cluster never settles in between', () => {
    const run = simulate(
      scenario(
        cronJob('a', '* * * * *') + '    - { at: 70s, note: "One runs." }\n' + settled,
        '  cluster: { podBehaviors: [{ runFor: 7m }] }\n',
      ),
    );
    expect(run.failures.map(({ message }) => message)).toEqual(['it never settles: CronJob/a fires every minute: add `until`']);
    expect(run.lengthMs).toBeLessThan(2 * 3_600_000);
  });

  it('is a container that exits and restarts endlessly', () => {
    const pod = '    - apply: { apiVersion: v1, kind: Pod, metadata: { name: a }, spec: { containers: [{ name: c, image: "c:1" }] } }\n';
    const run = simulate(scenario(pod + settled, '  cluster: { podBehaviors: [{ runFor: 1s, exitCodes: [1] }] }\n'));
    expect(run.verdict).toBe('unsettled');
    expect(run.failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^it never settles: pod-runner in agent\/node-\d has woken \d+ times for default\/a, on average every \dm\w+: add `until`$/,
      ),
    ]);
    expect(run.steps).toBeLessThan(200_000);
  });
});

describe('what does settle', () => {
  it.each([
    ['a schedule that is suspended', 'suspend: true, ', '* * * * *'],
    ['one that names no time', '', '0 0 30 2 *'],
  ])('is %s', (_, spec, schedule) => {
    const run = simulate(scenario(cronJob('a', schedule, spec) + settled));
    expect(run.verdict).toBe('held');
  });

  it('is a schedule that a step stops before a wait', () => {
    const stop = '    - { at: 150s, patch: { target: CronJob/a, patch: { spec: { suspend: true } } } }\n';
    const run = simulate(scenario(cronJob('a', '* * * * *') + stop + settled, '  cluster: { podBehaviors: [{ runFor: 1s }] }\n'));
    expect(run.failures).toEqual([]);
    expect(run.settled).toBe(true);
  });
});
