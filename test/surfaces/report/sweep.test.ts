/** The runs of one scenario with many seeds: what they sum up to, as text and as JUnit. */
import { describe, expect, it } from 'vitest';
import {
  failureKey,
  groupByFailure,
  mergeSweep,
  PLAIN,
  type RunSummary,
  sweepLines,
  sweepsJunit,
  sweepTotals,
} from '../../../src/surfaces/report/index.ts';
import { failure, MARKED, summaryOf } from './samples.ts';

const broken = (seed: number, message = 'pod web-bcdfg is late', more: Partial<RunSummary> = {}): RunSummary =>
  summaryOf({ seed, verdict: 'broken', failures: [failure({ kind: 'invariant', invariant: 'job/x', message, detail: ['d'] })], ...more });
const invariant = (name: string, held: boolean, exercised: number) => ({ name, temporal: 'always', held, exercised });

/** The sweep of these runs. */
function sweepOf(...given: Parameters<typeof mergeSweep>) {
  const sweep = mergeSweep(...given);
  if (sweep === undefined) throw new Error('there are no runs');
  return sweep;
}
/** Features of the seeds with a failure. */
const common = (features: readonly object[], comparedWith = 'held', seeds: readonly number[] = [2, 3]) =>
  ({ failure: failureKey(broken(2).failures[0] as never), seeds, comparedWith, features }) as never;

it('a sweep is the sum of its runs', () => {
  const runs = [
    summaryOf({ title: 'A web', seed: 1, lengthMs: 9_000, invariants: [invariant('a', true, 2), invariant('b', true, 0)] }),
    broken(2, 'late', { flags: '--rules recorded', invariants: [invariant('a', false, 3), invariant('b', true, 0)] }),
    summaryOf({ seed: 3, verdict: 'unsettled', invariants: [invariant('a', true, 4), invariant('c', true, 1)], failures: [failure()] }),
  ];
  const { digest, ...sum } = sweepOf(runs, [], [4]);
  expect(sum).toEqual({
    scenario: 'web',
    title: 'A web',
    file: 'web.yaml',
    seeds: 3,
    held: 1,
    failing: [
      {
        seed: 2,
        verdict: 'broken',
        kind: 'invariant',
        message: 'late',
        invariant: 'job/x',
        sinceStartMs: 5_000,
        replay: 'npx orchsim run web.yaml --seed 2 --rules recorded -v',
      },
      {
        seed: 3,
        verdict: 'unsettled',
        kind: 'step',
        message: 'it failed',
        sinceStartMs: 5_000,
        replay: 'npx orchsim run web.yaml --seed 3 -v',
      },
    ],
    common: [],
    unrun: [4],
    invariants: [invariant('a', false, 9), invariant('b', true, 0), invariant('c', true, 1)],
    commits: 36,
    steps: 3_702,
    longestMs: 65_250,
  });
  expect(digest).toMatch(/^[0-9a-f]+$/);
  expect('unrun' in sweepOf(runs)).toBe(false);
});

describe('the lines of a sweep', () => {
  it('say that all seeds held, and what was exercised', () => {
    const invariants = [invariant('a', true, 2), invariant('b', true, 0), invariant('c', false, 0)];
    const sweep = { ...sweepOf([summaryOf({ invariants }), summaryOf()]), digest: 'd2' };
    expect(sweepLines(sweep, MARKED)).toEqual([
      `<good>✓</good> <strong>web</strong>${' '.repeat(14)} <good>all 2 seeds held</good>`,
      '    <dim>24 writes · longest 1m05.250s · 2 of 3 invariants exercised · digest d2</dim>',
    ]);
    expect(sweepLines({ ...sweep, invariants: [], unrun: [3] }, PLAIN)).toEqual([
      `✓ web${' '.repeat(31)} all 2 seeds held, 1 seed not run`,
      '    24 writes · longest 1m05.250s · digest d2',
    ]);
  });

  it('group equal failures, with what their seeds have in common', () => {
    const feature = { text: 'web is late', here: 2, elsewhere: 0 };
    const lines = (features: readonly object[], comparedWith?: string) =>
      sweepLines(
        sweepOf([summaryOf(), broken(2), broken(3, 'pod web-x2468 is late'), broken(4, 'other')], [common(features, comparedWith)]),
        MARKED,
      );
    const group = (...features: readonly string[]): readonly string[] => [
      '    <bad>job/x: pod web-bcdfg is late</bad>',
      '      2 seeds 2, 3',
      ...features,
      '      npx orchsim run web.yaml --seed 2 -v',
      '    <bad>job/x: other</bad>',
      '      seed 4',
      '      npx orchsim run web.yaml --seed 4 -v',
    ];
    expect(lines([feature])[0]).toBe(`<bad>✗</bad> <strong>web</strong>${' '.repeat(14)} <bad>1 of 4 seeds held</bad>`);
    expect(lines([feature]).slice(2)).toEqual(
      group(
        '      common to these seeds, and absent in those that held:',
        '        web is late <dim>(2 of these, 0 of the others compared)</dim>',
      ),
    );
    expect(lines([feature], 'failed in another way')[4]).toBe(
      '      common to these seeds, and absent in those that failed in another way:',
    );
    expect(lines([]).slice(2)).toEqual(group('<dim>      no event distinguishes them from those that held</dim>'));
    expect(lines([], 'failed in another way')[4]).toBe(
      '<dim>      no event distinguishes them from those that failed in another way</dim>',
    );
    expect(lines([feature], 'nothing').slice(2)).toEqual(group());
  });

  it('list ten failures, and twenty seeds of each', () => {
    const seeds = (many: number): string | undefined =>
      sweepLines(sweepOf(Array.from({ length: many }, (_, at) => broken(at + 1))), PLAIN)[3];
    const twenty = Array.from({ length: 20 }, (_, at) => at + 1).join(', ');
    expect(seeds(20)).toBe(`      20 seeds ${twenty}`);
    expect(seeds(21)).toBe(`      21 seeds ${twenty}, …`);
    const names = 'abcdefghijkl';
    const failures = (many: number) =>
      sweepLines(sweepOf(Array.from(names.slice(0, many), (name, at) => broken(at, name))), PLAIN).slice(2);
    expect(failures(10)).toHaveLength(30);
    expect(failures(10).at(-1)).toBe('      npx orchsim run web.yaml --seed 9 -v');
    expect(failures(11).slice(30)).toEqual(['    and 1 other failure (--json names them all)']);
    expect(failures(12).slice(30)).toEqual(['    and 2 other failures (--json names them all)']);
  });
});

it('the totals of several sweeps name what did not hold', () => {
  const sweeps = [sweepOf([summaryOf()]), sweepOf([summaryOf({ scenario: 'db' }), broken(2), broken(3)])];
  expect(sweepTotals(sweeps.slice(0, 1), [], MARKED)).toEqual(['', '<good>1 scenario held under every seed, 0 did not</good>']);
  expect(sweepTotals(sweeps, [{ file: 'x.yaml', messages: [] }], MARKED)).toEqual([
    '',
    '<bad>1 scenario held under every seed, 1 did not, 1 file could not be read</bad>',
    '  did not hold:',
    '    db  <dim>web.yaml, 2 of 3 seeds</dim>',
    '  could not be read:',
    '    x.yaml',
  ]);
});

it('failures that differ in generated names are of one group', () => {
  const one = { invariant: 'job/x', message: 'pod web-bcdfg is late' };
  const groups = groupByFailure([one, { message: 'pod web-bcdfg is late' }, { ...one, message: 'pod web-x2468 is late' }]);
  expect([...groups.values()].map((group) => group.length)).toEqual([2, 1]);
});

describe('JUnit', () => {
  it('has a suite for each scenario, and a case for each seed', () => {
    const held = summaryOf({ seed: 1 });
    const [two, four] = [broken(2), broken(4)];
    const sweep = sweepOf([held, two, four], [common([{ text: 'web is late', here: 2, elsewhere: 0 }])], [5]);
    const other = sweepOf([summaryOf({ scenario: 'db', file: 'db.yaml' })]);
    const tookMs = 500;
    const runs = [held, two, four, summaryOf({ scenario: 'db', file: 'db.yaml' }), summaryOf({ scenario: 'db' })].map((run) => ({
      run,
      tookMs,
    }));
    const one = (seed: number, failed = ''): string =>
      `    <testcase name="web seed ${seed}" classname="web.yaml" time="0.500">\n      <properties>\n        <property name="virtual-time" value="65.250"/>\n      </properties>\n${failed}    </testcase>\n`;
    const failed = (seed: number, features = ''): string =>
      `      <failure type="invariant" message="job/x: pod web-bcdfg is late">pod web-bcdfg is late\nd\n${features}see it again: npx orchsim run web.yaml --seed ${seed} -v</failure>\n`;
    expect(sweepsJunit([sweep, other], runs, [{ file: 'x.yaml', messages: ['wrong'] }])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="orchsim" tests="6" failures="2" errors="1" skipped="1">\n' +
        '  <testsuite name="web.yaml" tests="4" failures="2" errors="0" skipped="1" time="1.500">\n' +
        one(1) +
        one(2, failed(2, 'common to these seeds, and absent in those that held:\nweb is late (2 of these, 0 of the others compared)\n')) +
        one(4, failed(4)) +
        '    <testcase name="web seed 5" classname="web.yaml" time="0.000">\n      <skipped message="interrupted before it was run"/>\n    </testcase>\n' +
        '  </testsuite>\n' +
        '  <testsuite name="db.yaml" tests="1" failures="0" errors="0" time="0.500">\n' +
        one(7).replaceAll('web', 'db') +
        '  </testsuite>\n' +
        '  <testsuite name="x.yaml" tests="1" failures="0" errors="1" time="0.000">\n' +
        '    <testcase name="x.yaml" classname="x.yaml" time="0.000">\n      <error type="unreadable" message="wrong">wrong</error>\n    </testcase>\n' +
        '  </testsuite>\n</testsuites>\n',
    );
  });
});
