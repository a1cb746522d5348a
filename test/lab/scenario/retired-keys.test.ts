/** Keys of earlier versions of the format are reported with their present names. */
import { expect, it } from 'vitest';
import { formatProblem, readScenarios } from '../../../src/index.ts';

it.each([
  ['claim', 'assert', 'spec: { steps: [{ note: It runs., claim: { cel: "true" } }] }'],
  ['furnished', 'bootstrap', 'spec: { cluster: { furnished: true }, steps: [{ note: It runs. }] }'],
])('%s is %s', (old, now, spec) => {
  const read = readScenarios(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: old }\n${spec}\n`);
  const lines = 'problems' in read ? read.problems.map(formatProblem) : [];
  expect(lines).toEqual([expect.stringContaining(`the unknown key ${JSON.stringify(old)}`)]);
  expect(lines[0]).toContain(`did you mean "${now}"?`);
});
