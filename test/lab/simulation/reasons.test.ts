/** The details of a failure: the found values, and the remedy for endless activity. */
import { expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';

const failuresOf = (spec: string): readonly (readonly string[])[] => {
  const text = `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: reasons }\nspec:\n${spec}`;
  return runScenario(text, { seed: 1 }).failures.map(({ message, detail }) => [message, ...detail]);
};

const TICK =
  '{ apiVersion: batch/v1, kind: CronJob, metadata: { name: tick }, spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } } } }';

it('a false expression is reported with the values of its sides, expected or waited for', () => {
  const cel = "objects('Job').size() == 7";
  const why = '    objects("Job").size() == 7: objects("Job").size() is 2';
  const steps = (last: string): string =>
    `  until: 2m30s\n  cluster: { podBehaviors: [{ runFor: 1s }] }\n  steps:\n    - apply: ${TICK}\n    - ${last}\n`;
  expect(failuresOf(steps(`{ at: 2m20s, expect: [{ cel: "${cel}" }] }`))).toEqual([['the expression is false', `  ${cel}`, why]]);
  expect(failuresOf(steps(`waitFor: { cel: "${cel}", within: 2m20s }`))).toEqual([['the expression is false', `  ${cel}`, why]]);
  expect(failuresOf(steps(`{ when: { cel: "${cel}" }, note: never }`))).toEqual([['its condition never became true', `  ${cel}`, why]]);
});

it('a run that cannot settle says how to end it', () => {
  expect(failuresOf(`  limits: { time: 5m }\n  steps:\n    - apply: ${TICK}\n`)).toEqual([
    ['it never settles: CronJob/tick fires every minute: add `until`', expect.stringContaining('spec.until')],
  ]);
  const idle = TICK.replace('* * * * *', '0 0 30 2 *');
  const job =
    '{ apiVersion: batch/v1, kind: Job, metadata: { name: slow }, spec: { activeDeadlineSeconds: 3600, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }';
  expect(failuresOf(`  limits: { time: 5m }\n  steps:\n    - apply: ${idle}\n    - apply: ${job}\n`)).toEqual([
    ['it did not settle within its time limit', '  next: job waking for default/slow', expect.stringContaining('spec.until')],
  ]);
});
