/** Invariants that a scenario defines: held, broken with the object and the values, never exercised, misspelt. */
import { describe, expect, it } from 'vitest';
import { formatProblem, formatScenario, type Scenario } from '../../../src/lab/scenario/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const text = (invariants: string): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: own }
spec:
  cluster: { podBehaviors: [{ runFor: 2s }] }
  invariants:
${invariants.replace(/^/gm, '    ')}
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { completions: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;
function read(invariants: string): Scenario {
  const result = readScenarios(text(invariants), { file: 'own.yaml' });
  if ('problems' in result) throw new Error(result.problems.map(formatProblem).join('\n'));
  return result.scenarios[0] as Scenario;
}
const run = (invariants: string): Run => simulate(read(invariants));
const problems = (invariants: string): readonly string[] => {
  const result = readScenarios(text(invariants), { file: 'own.yaml' });
  return 'problems' in result ? result.problems.map(formatProblem) : [];
};
const said = (invariants: string) =>
  run(invariants).failures.map(({ kind, invariant, message, detail, about, sinceStartMs, source }) => ({
    kind,
    invariant,
    message,
    detail,
    name: about?.name,
    sinceStartMs,
    line: source?.line,
  }));

describe('an invariant in a scenario', () => {
  it.each([
    ['always over the world', "- { name: few, always: \"objects('Pod').filter(p, p.status.phase == 'Running').size() <= 1\" }"],
    [
      'always over each change',
      '- { name: up, foreach: Job, always: "old == null || self.?status.?succeeded.orValue(0) >= old.?status.?succeeded.orValue(0)" }',
    ],
    ['eventually, in time', '- { name: ends, foreach: Pod, eventually: "self.status.phase == \'Succeeded\'", within: 3s }'],
    ['eventually, by the end', '- { name: ends, foreach: Job, eventually: "self.?status.?succeeded.orValue(0) == 3" }'],
    ['stable', "- { name: quiet, stable: \"objects('Pod').all(p, p.status.phase == 'Succeeded')\", within: 10s }"],
    ['sometimes', '- { name: seen, sometimes: "objects(\'Pod\').size() == 2" }'],
    ['of some of them', '- { name: some, foreach: [Pod, Job], where: self.kind == \'Job\', always: "has(self.spec.completions)" }'],
  ])('%s holds, and is counted', (_, invariants) => {
    const { verdict, failures, invariants: results } = run(invariants);
    expect(failures).toEqual([]);
    expect(verdict).toBe('held');
    expect(results.at(-1)?.exercised).toBeGreaterThan(0);
    // The built-in invariants are checked as before.
    expect(results.length).toBeGreaterThan(10);
  });

  it('that breaks names the object, the moment, the values and its place', () => {
    expect(said('- name: one\n  foreach: Job\n  always: self.?status.?succeeded.orValue(0) <= 1')).toEqual([
      {
        kind: 'invariant',
        invariant: 'one',
        message: 'Job default/a: it does not hold',
        name: 'a',
        sinceStartMs: 6000,
        line: 7,
        detail: ['  self.?status.?succeeded.orValue(0) <= 1', expect.stringMatching(/is 2$/)],
      },
    ]);
    expect(said('- { name: soon, foreach: Pod, eventually: "self.status.phase == \'Succeeded\'", within: 1s }')).toEqual([
      expect.objectContaining({
        invariant: 'soon',
        message: expect.stringMatching(/^Pod default\/a-\w+: it has not become true in time$/),
        sinceStartMs: 1000,
      }),
    ]);
    expect(said('- { name: none, stable: "objects(\'Job\').size() == 0" }')).toEqual([expect.objectContaining({ invariant: 'none' })]);
    expect(said('- { name: none, stable: "objects(\'Pod\').size() == 1", within: 1s }')).toEqual([
      expect.objectContaining({ sinceStartMs: 3000 }),
    ]);
    expect(said('- { name: two, sometimes: "objects(\'Job\').size() == 2" }')).toEqual([
      expect.objectContaining({ invariant: 'two', message: expect.stringContaining('it was never seen') }),
    ]);
    expect(said('- { name: idle, foreach: CronJob, always: "true" }')).toEqual([
      expect.objectContaining({ invariant: 'idle', message: expect.stringContaining('it was never exercised') }),
    ]);
    expect(said('- { name: odd, foreach: Job, always: self.nothing.here }')).toEqual([
      expect.objectContaining({ invariant: 'odd', message: expect.stringContaining('Job default/a: it could not be evaluated') }),
    ]);
  });

  it('is added to names, which select as before', () => {
    const results = run('- job/*\n- { name: seen, sometimes: "true" }').invariants.map(({ name }) => name);
    expect(results.at(-1)).toBe('seen');
    expect(results.slice(0, -1).every((name) => name.startsWith('job/'))).toBe(true);
  });

  it.each([
    ['after a name', '- job/*\n'],
    ['alone', ''],
  ])('survives being written and read again, %s', (_, before) => {
    const scenario = read(
      `${before}- { name: ends, description: "They end.", foreach: [Pod], where: "true", eventually: "self.status.phase != ''", within: 3s }`,
    );
    const again = readScenarios(formatScenario(scenario, { faults: [] }));
    const bare = ({ invariants, expressed }: Scenario) =>
      JSON.parse(JSON.stringify({ invariants, expressed }, (key, value: unknown) => (key === 'source' ? undefined : value))) as unknown;
    expect('scenarios' in again && again.scenarios[0] !== undefined && bare(again.scenarios[0])).toEqual(bare(scenario));
  });
});

describe('what is wrong with one', () => {
  it('is reported before the run', () => {
    expect(problems('- { name: job/finished-is-final, always: "true" }')).toEqual([
      expect.stringContaining('a name that no other invariant has'),
    ]);
    expect(problems('- { name: a, always: "true" }\n- { name: a, always: "true" }')).toEqual([
      expect.stringMatching(/^own\.yaml:8:\d+: spec\.invariants\[1\]\.name/),
    ]);
    expect(problems('- { name: a, always: "self.x == 1" }')).toEqual([expect.stringContaining('self and old need foreach')]);
    expect(problems('- { name: a, where: "true", always: "true" }')).toEqual([expect.stringContaining('foreach beside it')]);
    expect(problems('- { name: a, foreach: Jb, always: "1" }')).toEqual([
      expect.stringContaining('"Job"'),
      expect.stringContaining('a condition is true or false'),
    ]);
    expect(problems('- { name: a, always: "true", within: 3s }')).toEqual([expect.stringContaining('only one of within, always')]);
    expect(problems('- { name: a, alwys: "true" }')).toEqual([expect.stringContaining('did you mean "always"')]);
    expect(problems('- { name: a, foreach: Job, always: "selff.x" }')).toEqual([expect.stringContaining('did you mean "self"')]);
  });
});
