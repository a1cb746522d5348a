/** The report of a part of a search: it is read as it was written, and what is wrong with a changed one is named with its place. */
import { describe, expect, it } from 'vitest';
import type { PointChoice } from '../../../src/lab/scenario/index.ts';
import { type Catch, catchName, type Statistics } from '../../../src/lab/search/index.ts';
import { BadInput } from '../../../src/surfaces/cli/exit.ts';
import { identityOf, missingIn, readReports, reportLine, type SearchIdentity } from '../../../src/surfaces/cli/search/report.ts';

const at = 'write controller-manager job default/a: create Pod #1';
/** A choice of each fault, with what it needs and no more. */
const CHOICES = (
  [
    { do: 'hold', ms: 5 },
    { do: 'late', ms: 5 },
    { do: 'refuse', code: 409 },
    { do: 'lose', arrivesAfterMs: 3 },
    { do: 'crash', when: 'before', restartAfterMs: 1 },
    { do: 'crash', when: 'after', restartAfterMs: 1 },
    { do: 'crash', when: 'during', restartAfterMs: 1 },
    { do: 'relist' },
    { do: 'old-relist', staleByMs: 5, asOf: 'start' },
    { do: 'freeze', ms: 5, frozenMs: 1 },
    { do: 'gap', ms: 5 },
    { do: 'meddle', edit: 'annotate', of: 'object', undoMs: 4 },
    { do: 'unlabel', of: 'object' },
    { do: 'scale', of: 'object' },
    { do: 'recreate', of: 'object' },
    { do: 'cut', ms: 5, untilMs: 6 },
    { do: 'skew', ms: 5, forMs: 6 },
    { do: 'hang' },
    { do: 'slow', ms: 5 },
  ] as const
).map((injectedFault) => ({ at, injectedFault }) as unknown as PointChoice);

const CAUGHT: readonly Catch[] = [
  { cause: { claim: 'job/x', message: 'late' }, choices: CHOICES.slice(0, 1), run: 3, firstRun: -2, seen: 0 },
  {
    cause: {
      claim: 'job/y',
      message: 'late',
      process: 'controller-manager',
      controller: 'job',
      action: 'create Pod',
      why: 'it is needed',
      own: true,
      gaveUp: 'job default/a',
      elsewhere: true,
    },
    choices: [],
    run: 3,
    firstRun: 1,
    seen: 4,
    others: [{ run: 9, choices: CHOICES.slice(1, 3) }],
  },
];
const TALLY = { injectedFault: 'hold', whom: 'job', times: 4, news: 1, broke: 2, nothing: 1 };
const STATISTICS: Statistics = {
  runs: 32,
  replayed: 2,
  stuck: 1,
  reached: new Map([['job: it is done', -1]]),
  kept: new Map([[4, CHOICES]]),
  tried: new Map([['hold job', TALLY]]),
  catches: new Map(CAUGHT.map((each) => [catchName(each), each])),
  moments: { single: new Set(['a', 'b']), pairs: new Set(['a b']) },
  idle: new Set(['job/z']),
};
const IDENTITY: SearchIdentity = {
  scenario: 'web',
  print: 'p',
  corpus: 'c',
  seed: 1,
  faults: ['hold', 'lose'],
  judge: 'mine',
  budget: '32 runs',
  of: 3,
};
const LINE = reportLine(IDENTITY, 2, STATISTICS, false);

describe('a report', () => {
  it('is read as it was written, among other lines', () => {
    const partial = reportLine({ ...IDENTITY, of: 2 }, 1, STATISTICS, true);
    expect(LINE).toMatch(/^\{"report":"orchsim-search\/v3",[^\n]*\}\n$/);
    expect(readReports(`a log\n${LINE}\n{"other": 1}\n${partial}`, 'log')).toEqual([
      { ...IDENTITY, index: 2, statistics: STATISTICS },
      { ...IDENTITY, of: 2, index: 1, statistics: STATISTICS },
    ]);
  });

  it('has no more than it says, whatever else was added to it', () => {
    const [read] = readReports(LINE.replace('"do":"hold"', '"do":"hold","__proto__":{"ms":9},"more":1'), 'log');
    expect(read?.statistics).toEqual(STATISTICS);
  });
});

/** What is said of a report after a change of it. */
function refused(change: (report: Record<string, unknown>) => void): string {
  const report = JSON.parse(LINE) as Record<string, unknown>;
  change(report);
  try {
    readReports(`\n${JSON.stringify(report)}`, 'log');
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
}
const choice = (injectedFault: unknown, where: unknown = at) =>
  refused((report) => void (report['kept'] = [[4, [{ at: where, injectedFault }]]]));

describe('a changed report is refused with the place', () => {
  it.each([
    ['report', 'orchsim-search/v2', 'report.report: expected orchsim-search/v3: another version of orchsim wrote it'],
    ['of', -1, 'report.of: expected a number from 0'],
    ['of', 1.5, 'report.of: expected a whole number'],
    ['of', 1, 'report.index: expected from 1 to 1'],
    ['index', 0, 'report.index: expected from 1 to 3'],
    ['index', 4, 'report.index: expected from 1 to 3'],
    ['scenario', 3, 'report.scenario: expected a text'],
    ['print', null, 'report.print: expected a text'],
    ['seed', '1', 'report.seed: expected a whole number'],
    ['faults', 'hold', 'report.faults: expected a list of at most 1000000'],
    ['faults', ['hold', 1], 'report.faults[1]: expected a text'],
    ['runs', -1, 'report.runs: expected a number from 0'],
    ['reached', [['a', 'b']], 'report.reached[0][1]: expected a whole number'],
    ['reached', [[1, 1]], 'report.reached[0][0]: expected a text'],
    ['kept', [[1, [{ at: 'a' }]]], 'report.kept[0][1][0].at: expected the address of a point'],
    ['tried', [{ ...TALLY, times: -1 }], 'report.tried[0].times: expected a number from 0'],
    ['catches', [{ run: 1 }], 'report.catches[0].cause: expected an object'],
    ['catches', [{ ...CAUGHT[0], others: [{}] }], 'report.catches[0].others[0].run: expected a whole number'],
    ['catches', [{ ...CAUGHT[0], cause: { claim: 'c', message: 'm', why: 1 } }], 'report.catches[0].cause.why: expected a text'],
    ['moments', [], 'report.moments: expected an object'],
    ['moments', null, 'report.moments: expected an object'],
    ['moments', { single: [], pairs: [1] }, 'report.moments.pairs[0]: expected a text'],
    ['idle', undefined, 'report.idle: expected a list of at most 1000000'],
  ])('%s: %j', (name, value, says) => {
    expect(refused((report) => void (report[name] = value))).toBe(`log:2: ${says}`);
  });

  it.each([
    ['hold', 'ms'],
    ['late', 'ms'],
    ['refuse', 'code'],
    ['crash', 'when'],
    ['old-relist', 'staleByMs'],
    ['freeze', 'ms'],
    ['gap', 'ms'],
    ['meddle', 'edit'],
    ['unlabel', 'of'],
    ['scale', 'of'],
    ['recreate', 'of'],
    ['cut', 'ms'],
    ['skew', 'ms'],
    ['slow', 'ms'],
  ])('%s needs %s', (name, needed) => {
    expect(choice({ do: name })).toBe(`log:2: report.kept[0][1][0].injectedFault.${needed}: expected what ${name} needs`);
  });

  it('other faults, values and places', () => {
    const place = 'log:2: report.kept[0][1][0]';
    expect(choice({ do: 'crash', when: 'before' })).toBe(`${place}.injectedFault.restartAfterMs: expected what crash needs`);
    expect(choice({ do: 'crash', when: 'later', restartAfterMs: 1 })).toBe(`${place}.injectedFault.when: expected what crash needs`);
    expect(choice({ do: 'meddle', edit: 'annotate' })).toBe(`${place}.injectedFault.of: expected what meddle needs`);
    expect(choice({ do: 'skew', ms: 1 })).toBe(`${place}.injectedFault.forMs: expected what skew needs`);
    expect(choice({ do: 'hold', ms: 1.5 })).toBe(`${place}.injectedFault.ms: expected a whole number`);
    expect(choice({ do: 'steal' })).toMatch(/injectedFault\.do: expected one of crash, cut, .*, unlabel$/);
    expect(choice('hold')).toBe(`${place}.injectedFault: expected an object`);
    expect(choice({ do: 'hang' }, 'somewhere else')).toBe(`${place}.at: expected the address of a point`);
    expect(choice({ do: 'hang' }, 'writes')).toBe(`${place}.at: expected the address of a point`);
    expect([choice({ do: 'lose' }), choice({ do: 'relist' }), choice({ do: 'hang' })]).toEqual(['', '', '']);
  });

  it('a text without one, and a line that was cut', () => {
    expect(() => readReports('a log\n', 'log')).toThrow('log: it has no report of a search; search --shard 1/2 --report FILE writes one');
    expect(() => readReports(`x${LINE}`, 'log')).toThrow('log: it has no report of a search');
    expect(() => readReports(`\n\n${LINE.slice(0, 99)}`, 'log')).toThrow('log:3: a report that is truncated or changed: it is not JSON');
  });
});

describe('the parts of a search', () => {
  const part = (index: number, more: Partial<SearchIdentity> = {}) => ({
    ...IDENTITY,
    index,
    statistics: STATISTICS,
    partial: false,
    ...more,
  });

  it('that are missing are named', () => {
    expect(missingIn([])).toEqual([]);
    expect(missingIn([part(2)])).toEqual([1, 3]);
    expect(missingIn([part(3), part(1), part(2)])).toEqual([]);
    expect(() => missingIn([part(2), part(2)])).toThrow('--merge: part 2 of 3 comes twice');
  });

  it.each<[Partial<SearchIdentity>, string]>([
    [{ scenario: 'db' }, 'the scenario is web in part 1, db in part 2'],
    [{ print: 'q' }, 'the fingerprint of the scenario is p in part 1, q in part 2'],
    [{ corpus: 'd' }, 'the fingerprint of the corpus is c in part 1, d in part 2'],
    [{ seed: 2 }, 'the seed is 1 in part 1, 2 in part 2'],
    [{ faults: ['hold'] }, 'the faults are hold,lose in part 1, hold in part 2'],
    [{ judge: 'all' }, 'what is judged is mine in part 1, all in part 2'],
    [{ budget: '1m' }, 'the budget is 32 runs in part 1, 1m in part 2'],
    [{ of: 4 }, 'the number of parts is 3 in part 1, 4 in part 2'],
  ])('are of one search: %j', (other, says) => {
    expect(() => missingIn([part(1), part(2, other)])).toThrow(`--merge: parts of two searches: ${says}`);
  });

  it('are identified by what they search, and how', () => {
    const searched = { name: 'web', seed: 4, judge: 'mine' as const, budget: { runs: 32 }, faults: ['lose', 'hold'], corpus: [] };
    const of = (scenario: unknown, more: object = {}) =>
      identityOf({ baseline: { quiescence: { scenario } } as never, shard: undefined, ...searched, ...more });
    const { print, corpus, ...rest } = of({ a: 1 });
    expect(rest).toEqual({ scenario: 'web', seed: 4, faults: ['hold', 'lose'], judge: 'mine', budget: '32 runs', of: 1 });
    expect([print, corpus]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(of({ a: 2 }).print).not.toBe(print);
    expect(of({ a: 1 }, { corpus: [CHOICES] }).corpus).not.toBe(corpus);
    expect(of({ a: 1 }, { shard: { index: 1, of: 8 } }).of).toBe(8);
  });
});
