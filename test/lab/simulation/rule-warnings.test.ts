/** Writes that the specification forbids and v1.24 accepts are lint warnings of a run, where the scenario says that they are accepted. */
import { expect, it } from 'vitest';
import { runScenario } from '../../support/scenarios.ts';

const job = (name: string, seconds = 0): string =>
  `{ apiVersion: batch/v1, kind: Job, metadata: { name: ${name} }, spec: { activeDeadlineSeconds: ${seconds}, suspend: true, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: i }] } } } }`;
/** The warnings of steps from line 8 on, and the messages of failures. */
const warned = (...steps: readonly string[]) => {
  const { lintWarnings, failures } = runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec:\n  rules: recorded\n  until: 5s\n  steps:\n${steps.map((step) => `    - ${step}\n`).join('')}`,
  );
  expect(failures).toEqual([]);
  return lintWarnings.map(({ line, text }) => `${line}: ${text.replace(/: .*$/, '')}`);
};
const RULE = 'rule job/deadline-is-positive';

it('a warning has the place of its step, and is one for each place', () => {
  expect(warned(`create: ${job('a', 5)}`)).toEqual([]);
  expect(warned(`create: ${job('a')}`, `create: ${job('b', 5)}`, `create: ${job('c')}`)).toEqual([`8: ${RULE}`, `10: ${RULE}`]);
  expect(warned(`create: [${job('a')}, ${job('b')}]`)).toEqual([`8: ${RULE}`]);
});

it('a manifest beside the steps has its own place', () => {
  const { lintWarnings } = runScenario(
    `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: a }\nspec: { rules: recorded, until: 5s }\n---\n${job('a')}\n---\n${job('b')}\n`,
  );
  expect(lintWarnings.map(({ line, col, file }) => [line, col, file])).toEqual([
    [6, 1, '<text>'],
    [8, 1, '<text>'],
  ]);
});
