/** Times that cannot be are refused with their place before anything runs. */
import { expect, it } from 'vitest';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const problemsOf = (spec: string): readonly string[] => {
  const read = readScenarios(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: times }\nspec:\n${spec}`);
  return 'problems' in read ? read.problems.map(({ line, path, expected, found }) => `${line} ${path}: ${expected}; ${found}`) : [];
};

it.each([
  ['  steps: [{ at: 401d, note: late }]', '5 spec.steps[0].at: a time within the limits (400d unless spec.limits.time says more); 401d'],
  ['  limits: { time: 1h }\n  steps: [{ at: 2h, note: late }]', '6 spec.steps[0].at: a time within the limits (spec.limits.time: 1h); 2h'],
  ['  until: 500d', '5 spec.until: a time within the limits (400d unless spec.limits.time says more); 500d'],
  [
    '  until: 10s\n  steps:\n    - { at: 8s, note: a }\n    - { after: 3s, note: b }',
    '8 spec.steps[1].after: a time before the run ends (until: 10s); 3s after 8s',
  ],
  [
    '  steps:\n    - { at: 8s, note: a }\n    - { at: 3s, note: b }\n    - { at: 8s, note: c }',
    '7 spec.steps[1].at: a time not before that of the steps above (8s), since steps run in order; 3s',
  ],
])('%s', (spec, problem) => {
  expect(problemsOf(spec)).toEqual([problem]);
});

it('a time that has passed when its turn comes is none of them', () => {
  expect(problemsOf('  steps:\n    - { after: 10s, note: a }\n    - { at: 3s, note: b }\n    - { at: 3s, note: c }')).toEqual([]);
});
