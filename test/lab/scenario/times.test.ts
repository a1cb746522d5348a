/** Impossible times are refused with their position before the run. */
import { describe, expect, it } from 'vitest';
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

describe('the end of time', () => {
  const problemsOf = (spec: string) => {
    const read = readScenarios(`apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: late }\nspec: { ${spec} }\n`);
    return 'problems' in read ? read.problems.map(({ path, expected }) => `${path}: ${expected}`) : [];
  };
  it('is before the year 10000, which no text of a time can name', () => {
    expect(problemsOf('startTime: 9999-12-31T23:59:00Z')).toEqual(['spec.startTime: an instant up to 9800-01-01T00:00:00Z']);
    expect(problemsOf('startTime: 9799-12-31T23:59:00Z, limits: { time: 400000d }')).toEqual([
      expect.stringMatching(/^spec\.limits\.time: at most /),
    ]);
    expect(problemsOf('startTime: 9800-01-01T00:00:00Z, limits: { time: 36600d }')).toEqual([]);
  });
});

describe('more pods than the limit', () => {
  const problemsOf = (limits: string, kind: string, spec: string) => {
    const read = readScenarios(
      `apiVersion: scenario.orch.io/v1\nkind: Scenario\nmetadata: { name: many }\nspec:\n  limits: { ${limits} }\n  steps:\n    - apply: { apiVersion: ${kind === 'Job' ? 'batch' : 'apps'}/v1, kind: ${kind}, metadata: { name: a }, spec: { ${spec} } }\n`,
    );
    return 'problems' in read
      ? read.problems.map(({ line, path, expected, found }) => `${line} ${path}: ${expected.split(',')[0] ?? ''}; ${found}`)
      : [];
  };
  it('are reported before the run', () => {
    expect(problemsOf('', 'Job', 'parallelism: 2147483647')).toEqual([
      '7 spec.steps[0].apply.spec.parallelism: at most 150000; 2147483647',
    ]);
    expect(problemsOf('objects: 9', 'Deployment', 'replicas: 10')).toEqual(['7 spec.steps[0].apply.spec.replicas: at most 9; 10']);
    expect(problemsOf('', 'Job', 'parallelism: 2147483647, completions: 3')).toEqual([]);
    expect(problemsOf('', 'Job', 'parallelism: 2147483647, suspend: true')).toEqual([]);
    expect(problemsOf('objects: 200000', 'StatefulSet', 'replicas: 180000')).toEqual([]);
  });
});
