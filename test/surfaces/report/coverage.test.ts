/** What runs covered: faults and the controllers active in them, exercised invariants, reasons of decisions. */
import { describe, expect, it } from 'vitest';
import { coverageLines, coverageReport, reasonsOf } from '../../../src/surfaces/report/index.ts';
import { MARKED, summaryOf } from './samples.ts';

const KNOWN = {
  faults: ['crash', 'lag', 'delay'],
  reasons: {
    job: ['… active, … succeeded', 'it is done', 'wait … s (a+b)'],
    node: ['it is done', 'it is …', 'unused', 'spare', 'extra', 'idle'],
    none: ['never'],
  },
};

describe('reasons', () => {
  it('are counted by the branch of the sources that gave them: of the same controller, then the most specific', () => {
    const { others, reasons } = reasonsOf(
      [
        ['job', '2 active, 31 succeeded', 2],
        ['job', '1 active, 0 succeeded', 1],
        ['job', 'it is done', 4],
        ['node', 'it is done', 5],
        ['node', 'it is late\nagain', 7],
        ['job', 'wait 1.5 s (a+b)', 1],
        ['job', 'wait 1 s (aab)', 1],
        ['mine', 'it is done', 8],
        ['mine', 'so it is done', 1],
      ],
      KNOWN,
    );
    expect(others).toEqual([
      { controller: 'job', reason: 'wait 1 s (aab)', times: 1 },
      { controller: 'mine', reason: 'so it is done', times: 1 },
    ]);
    expect(reasons).toEqual([
      {
        of: 'job',
        taken: [
          { reason: '… active, … succeeded', times: 3 },
          { reason: 'it is done', times: 12 },
          { reason: 'wait … s (a+b)', times: 1 },
        ],
        missed: [],
      },
      {
        of: 'node',
        taken: [
          { reason: 'it is done', times: 5 },
          { reason: 'it is …', times: 7 },
        ],
        missed: ['unused', 'spare', 'extra', 'idle'],
      },
      { of: 'none', taken: [], missed: ['never'] },
    ]);
  });

  it('go to the longer of two patterns that are as open, whatever their order', () => {
    const taken = (...patterns: readonly string[]) => reasonsOf([['a', 'wait for 3', 1]], { reasons: { a: patterns } }).reasons[0]?.taken;
    const expected = [{ reason: 'wait for …', times: 1 }];
    expect(taken('wait …', 'wait for …')).toEqual(expected);
    expect(taken('wait for …', 'wait …')).toEqual(expected);
    expect(taken('wait … …', '… for …', 'wait for …')).toEqual(expected);
  });
});

const invariant = (name: string, exercised: number) => ({ name, temporal: 'always', held: true, exercised });
const RUNS = [
  summaryOf({
    invariants: [invariant('a', 2), invariant('b', 0)],
    coverage: {
      faults: [
        ['crash', 'job', 2],
        ['crash', 'node', 1],
        ['mine', 'cron', 1],
      ],
      injected: [
        ['crash', 3],
        ['mine', 1],
      ],
      reasons: [['job', 'it is done', 4]],
    },
  }),
  summaryOf({
    invariants: [invariant('a', 3)],
    coverage: { faults: [['delay', 'job', 1]], injected: [['delay', 1]], reasons: [['own', 'because', 1]] },
  }),
  summaryOf(),
];

describe('a report', () => {
  const report = coverageReport(RUNS, KNOWN);

  it('is the sum of the runs, with every fault that is known or was injected', () => {
    expect(report).toMatchObject({
      runs: 3,
      faults: [
        { fault: 'crash', injected: 3, controllers: { job: 2, node: 1 } },
        { fault: 'lag', injected: 0, controllers: {} },
        { fault: 'delay', injected: 1, controllers: { job: 1 } },
        { fault: 'mine', injected: 1, controllers: { cron: 1 } },
      ],
      invariants: [
        { name: 'a', exercised: 5 },
        { name: 'b', exercised: 0 },
      ],
      others: [{ controller: 'own', reason: 'because', times: 1 }],
    });
  });

  it('is printed with tables, and what is missing', () => {
    expect(coverageLines(report, MARKED)).toEqual([
      '',
      '<strong>coverage of 3 runs</strong>',
      '  faults: 3 of 4 were injected; how often a controller was active within ten seconds of each',
      '<dim>    FAULT</dim>  <dim>TIMES</dim>  <dim>cron</dim>  <dim>job</dim>  <dim>node</dim>',
      '    crash             3                 <dim>·</dim>     2               1',
      '    delay             1                 <dim>·</dim>     1               <dim>·</dim>',
      '    mine              1                 1                <dim>·</dim>    <dim>·</dim>',
      '<dim>    never: lag</dim>',
      '  invariants: 1 of 2 were exercised',
      '<dim>    not exercised: b</dim>',
      '  reasons of decisions: 1 of 10 in the sources were given, and 1 other',
      '    job  1 of 3  <dim>missing: … active, … succeeded | wait … s (a+b)</dim>',
    ]);
  });

  it('has no tables of nothing, and at most three missing reasons of a controller', () => {
    const nothing = coverageReport([summaryOf({ invariants: [invariant('a', 1)] })], { faults: ['lag'], reasons: { job: ['never'] } });
    expect(coverageLines(nothing, MARKED)).toEqual([
      '',
      '<strong>coverage of 1 run</strong>',
      '  faults: 0 of 1 were injected; how often a controller was active within ten seconds of each',
      '<dim>    never: lag</dim>',
      '  invariants: 1 of 1 were exercised',
      '  reasons of decisions: 0 of 1 in the sources were given, and 0 others',
    ]);
    const last = (...missed: string[]): string | undefined =>
      coverageLines({ ...nothing, reasons: [{ of: 'job', taken: [{ reason: 'x', times: 1 }], missed }] }, MARKED).at(-1);
    expect(last()).toBe('    job  1 of 1  <dim></dim>');
    expect(last('a', 'b', 'c')).toBe('    job  1 of 4  <dim>missing: a | b | c</dim>');
    expect(last('a', 'b', 'c', 'd')).toBe('    job  1 of 5  <dim>missing: a | b | c | and 1 more</dim>');
  });
});
