/** The options of a search and of other commands: what is read, and what is said of a wrong value. */
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { BadInput } from '../../../src/surfaces/cli/exit.ts';
import { readCount, readDomain, readJobs, readRules, readSeed, readSeeds, readWord } from '../../../src/surfaces/cli/options.ts';
import {
  budgetText,
  isSpent,
  type Options,
  readBudget,
  readSearchOptions,
  readShard,
  runsOf,
} from '../../../src/surfaces/cli/search/options.ts';
import { cli, folderWith } from './cli.ts';
import { QUIET } from './searched.ts';

/** What is said of a value; empty: it is read. */
function saidOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
}

describe('values of options', () => {
  it('seeds are whole numbers that can be counted with', () => {
    expect([readSeed('0'), readSeed('007'), readSeed('9007199254740991')]).toEqual([0, 7, Number.MAX_SAFE_INTEGER]);
    const said = '--seed: expected a whole number from 0';
    for (const wrong of ['', '-1', '1.5', '1e3', ' 1', 'x1', '1x'])
      expect(saidOf(() => readSeed(wrong))).toBe(`${said}, found ${JSON.stringify(wrong)}`);
    expect(saidOf(() => readSeed('9007199254740992', '--at'))).toBe(
      '--at: expected a whole number from 0 to 9007199254740991, found "9007199254740992"',
    );
  });

  it('seeds of a sweep are a range, its end included', () => {
    expect([readSeeds('3..5'), readSeeds('4..=4')]).toEqual([[3, 4, 5], [4]]);
    expect(readSeeds('1..1000000')).toHaveLength(1_000_000);
    for (const wrong of ['1', '1...2', 'a..b', 'x1..2', '1..2x', '1..'])
      expect(saidOf(() => readSeeds(wrong))).toBe(`--seeds: expected two whole numbers such as 1..1000, found ${JSON.stringify(wrong)}`);
    expect(saidOf(() => readSeeds('5..4'))).toBe('--seeds: expected the smaller number first, found "5..4"');
    expect(saidOf(() => readSeeds('0..1000000'))).toBe('--seeds: at most 1000000 seeds in one sweep, found 1000001');
    expect(saidOf(() => readSeeds('1..9007199254740992'))).toMatch(/^--seeds: expected a whole number from 0 to /);
  });

  it('jobs and counts are whole numbers from 1', () => {
    expect([readJobs('1'), readJobs('256'), readCount('--n', '1'), readCount('--n', '999999999999999')]).toEqual([
      1, 256, 1, 999_999_999_999_999,
    ]);
    for (const wrong of ['0', '257', '-1', '1.5', '', '1x', 'x1'])
      expect(saidOf(() => readJobs(wrong))).toBe(`--jobs: expected a whole number from 1 to 256, found ${JSON.stringify(wrong)}`);
    for (const wrong of ['0', '01', '1000000000000000', '-1', '1x', 'x1'])
      expect(saidOf(() => readCount('--n', wrong))).toBe(`--n: expected a whole number from 1 on, found ${JSON.stringify(wrong)}`);
  });

  it('words are one of some, and the nearest is suggested', () => {
    expect(readWord('--w', 'b', ['a', 'b', 'c'])).toBe('b');
    expect(saidOf(() => readWord('--w', 'junid', ['text', 'json', 'junit']))).toBe(
      '--w: expected one of text, json, junit, found "junid"; did you mean "junit"?',
    );
    expect([readDomain('k8s.io'), readDomain('orch.io'), readRules(undefined), readRules('recorded'), readRules('specification')]).toEqual([
      'k8s.io',
      'orch.io',
      undefined,
      'recorded',
      'specification',
    ]);
    expect(saidOf(() => readDomain('x'))).toBe('--domain: expected orch.io or k8s.io, found "x"');
    expect(saidOf(() => readRules('record'))).toBe('--rules: expected specification or recorded, found "record"; did you mean "recorded"?');
  });
});

describe('a budget', () => {
  it('is a number of runs, a time, or until nothing new is found', () => {
    expect(['plateau', '500', '500 runs', '1 run', ' 7runs ', '60s', '1h30m'].map(readBudget)).toEqual([
      'plateau',
      { runs: 500 },
      { runs: 500 },
      { runs: 1 },
      { runs: 7 },
      { ms: 60_000 },
      { ms: 5_400_000 },
    ]);
    expect(['plateau', '500', '90s'].map((text) => budgetText(readBudget(text)))).toEqual(['plateau', '500 runs', '1m30s']);
    expect(['plateau', '500', '90s'].map((text) => runsOf(readBudget(text)))).toEqual([undefined, 500, undefined]);
    expect(readBudget('100000000')).toEqual({ runs: 100_000_000 });
    expect(saidOf(() => readBudget('0'))).toBe('--budget: expected from 1 to 100000000 runs, found 0');
    expect(saidOf(() => readBudget('100000001'))).toBe('--budget: expected from 1 to 100000000 runs, found 100000001');
    for (const wrong of ['0s', '0m', 'much', '', '5 rums', 'x5'])
      expect(saidOf(() => readBudget(wrong))).toBe(
        `--budget: expected a duration such as 60s, a number of runs such as "500 runs", or plateau, found ${JSON.stringify(wrong)}`,
      );
    expect(saidOf(() => readBudget('0.0001s'))).toBe('--budget: expected a duration of whole milliseconds, found "0.0001s"');
  });

  it('is spent', () => {
    const search = (sinceNewReason: number) => ({ sinceNewReason, within: (runs: number) => runs > 10 });
    const spent = (text: string, since = 0, ms = 0): boolean => isSpent(readBudget(text), search(since), ms);
    expect([spent('plateau', 255), spent('plateau', 256)]).toEqual([false, true]);
    expect([spent('11'), spent('10')]).toEqual([false, true]);
    expect([spent('1s', 0, 999), spent('1s', 0, 1_000)]).toEqual([false, true]);
  });
});

it('a part has a number from one to how many there are', () => {
  expect([readShard('3/8'), readShard('1/1'), readShard('10000/10000')]).toEqual([
    { index: 3, of: 8 },
    { index: 1, of: 1 },
    { index: 10_000, of: 10_000 },
  ]);
  for (const wrong of ['0/2', '3/2', '1/0', '1/10001', '1', 'x1/2', '1/2x'])
    expect(saidOf(() => readShard(wrong))).toBe(
      `--shard: expected a part and how many there are, from 1/1 to 10000/10000, found ${JSON.stringify(wrong)}`,
    );
});

const GIVEN = {
  budget: '60s',
  judge: 'mine',
  format: 'text',
  out: '.',
  json: false,
  untilFound: false,
  exhaustive: false,
  coverage: false,
  force: false,
} as unknown as Options;
const read = (more: Partial<Options> = {}) => readSearchOptions({ ...GIVEN, ...more });
const DEFAULT_FAULTS = ['crash', 'cut', 'freeze', 'gap', 'hold', 'late', 'lose', 'meddle', 'refuse', 'relist', 'skew', 'slow'];

describe('the options of a search', () => {
  it('have values where none are given', () => {
    expect(read()).toEqual({
      ...GIVEN,
      mode: undefined,
      budget: { ms: 60_000 },
      seed: 1,
      jobs: availableParallelism(),
      faults: expect.arrayContaining(DEFAULT_FAULTS) as unknown,
      shard: undefined,
      asJob: undefined,
    });
    expect(read().faults.toSorted()).toEqual(DEFAULT_FAULTS);
  });

  it('are read', () => {
    expect(read({ json: true, seed: '7', jobs: '2', shard: '2/3', judge: 'all', format: 'junit' })).toMatchObject({
      format: 'json',
      json: true,
      seed: 7,
      jobs: 2,
      shard: { index: 2, of: 3 },
      judge: 'all',
    });
    expect(read({ format: 'json' })).toMatchObject({ format: 'json', json: true });
    expect(read({ format: 'junit' })).toMatchObject({ format: 'junit', json: false });
    expect([read({ asJob: '10000' }).asJob, saidOf(() => read({ asJob: '10001' }))]).toEqual([
      10_000,
      '--as-job: at most 10000 parts, found 10001',
    ]);
    expect(read({ asJob: '2', image: 'mine:1' })).toMatchObject({ asJob: 2, image: 'mine:1' });
    expect(saidOf(() => read({ judge: 'yours' }))).toBe('--judge: expected mine or all, found "yours"');
  });

  it('name faults: only these, or more or fewer than by default', () => {
    expect(read({ faults: 'hold, lose' }).faults).toEqual(['hold', 'lose']);
    expect(read({ faults: 'hold,+hang,-hold' }).faults).toEqual(['hang']);
    expect(read({ faults: '-relist,+hang' }).faults.toSorted()).toEqual(
      [...DEFAULT_FAULTS.filter((name) => name !== 'relist'), 'hang'].toSorted(),
    );
    expect(saidOf(() => read({ faults: 'hold,-hold' }))).toBe('--faults: "hold,-hold" leaves no fault');
    expect(saidOf(() => read({ faults: '+hild' }))).toMatch(
      /^--faults: expected names of crash, .*, unlabel, found "hild"; did you mean "hold"\?$/,
    );
  });

  it('say how a search is exhaustive', () => {
    expect([read({ exhaustive: true }).mode, read({ exhaustive: true, depth: '3' }).mode, read({ deviations: '1' }).mode]).toEqual([
      { of: 'orders' },
      { of: 'orders', depth: 3 },
      { of: 'faults' },
    ]);
    expect(saidOf(() => read({ depth: '3' }))).toBe('--depth: it needs --exhaustive');
    expect(saidOf(() => read({ exhaustive: true, depth: '0' }))).toBe('--depth: expected a whole number from 1 on, found "0"');
    expect(saidOf(() => read({ deviations: '2' }))).toBe(
      '--deviations: expected 1, found "2": combinations of faults are searched without it',
    );
    expect(saidOf(() => read({ exhaustive: true, format: 'junit' }))).toBe('--format junit: exhaustive searches report as text or json');
    expect(saidOf(() => read({ exhaustive: true, json: true }))).toBe('');
  });

  const EXCLUDE = 'they exclude each other; run one after the other';
  it.each<[Partial<Options>, string]>([
    [
      { shard: '1/2', merge: ['a'] },
      '--shard and --merge: they exclude each other: a part of a search, the merge of parts, or the job that runs them',
    ],
    [
      { shard: '1/2', merge: ['a'], asJob: '2' },
      '--shard and --merge and --as-job: they exclude each other: a part of a search, the merge of parts, or the job that runs them',
    ],
    [{ image: 'mine:1' }, '--image: the image of --as-job, which is not given'],
    [
      { untilFound: true, shard: '1/2' },
      '--until-found: a part of a search does not know the findings of the others, so it would end at another run each time',
    ],
    [
      { untilFound: true, asJob: '2' },
      '--until-found: a part of a search does not know the findings of the others, so it would end at another run each time',
    ],
    [{ since: 'main', shard: '1/2' }, `--since and --shard: ${EXCLUDE}`],
    [{ since: 'main', report: 'r' }, `--since and --report: ${EXCLUDE}`],
    [{ since: 'main', merge: ['r'] }, `--since and --merge: ${EXCLUDE}`],
    [{ since: 'main', asJob: '2' }, `--since and --as-job: ${EXCLUDE}`],
    [{ since: 'main', corpus: 'c' }, `--since and --corpus: ${EXCLUDE}`],
    [{ since: 'main', scenario: 'a' }, `--since and --scenario: ${EXCLUDE}`],
    [{ since: 'main', exhaustive: true }, `--since and --exhaustive: ${EXCLUDE}`],
    [{ since: 'main', deviations: '1' }, `--since and --deviations: ${EXCLUDE}`],
    [{ exhaustive: true, deviations: '1' }, `--exhaustive and --deviations: ${EXCLUDE}`],
    [{ exhaustive: true, corpus: 'c' }, `--exhaustive and --corpus: ${EXCLUDE}`],
    [{ exhaustive: true, coverage: true }, `--exhaustive and --coverage: ${EXCLUDE}`],
    [{ deviations: '1', shard: '1/2' }, `--deviations and --shard: ${EXCLUDE}`],
    [{ deviations: '1', report: 'r' }, `--deviations and --report: ${EXCLUDE}`],
    [{ deviations: '1', merge: ['r'] }, `--deviations and --merge: ${EXCLUDE}`],
    [{ exhaustive: true, asJob: '2' }, `--exhaustive and --as-job: ${EXCLUDE}`],
  ])('exclude each other: %j', (given, says) => {
    expect(saidOf(() => read(given))).toBe(says);
  });

  it('that are alone exclude nothing', () => {
    for (const given of [
      { since: 'main' },
      { untilFound: true },
      { exhaustive: true, untilFound: true },
      { merge: ['r'] },
      { corpus: 'c' },
      { report: 'r' },
    ])
      expect(saidOf(() => read(given))).toBe('');
  });
});

describe('options of programs', () => {
  it.each([
    [['--domain', 'k8s.io'], '--domain is about'],
    [['--start', 'now'], '--start is about'],
    [['--timers', '1s'], '--timers is about'],
    [['--realtime'], '--realtime is about'],
    [['--realtime', '3', '--timers', '1s', '--start', 'now'], '--start is about'],
  ])('are refused where none is given: %j', async (options, said) => {
    const cwd = folderWith({ 'quiet.yaml': QUIET });
    expect(await cli(['search', 'quiet.yaml', ...options], { cwd })).toEqual({
      code: 2,
      out: '',
      err: `${said} a program: give one after --, such as search scenario.yaml -- ./my-operator\n`,
    });
    expect((await cli(['search', 'quiet.yaml', '--domain', 'k8s'], { cwd })).err).toBe(
      '--domain: expected orch.io or k8s.io, found "k8s"; did you mean "k8s.io"?\n',
    );
  });

  it('do not go with a search of what has changed', async () => {
    const { code, err } = await cli(['search', '.', '--since', 'HEAD', '--', 'node'], { cwd: folderWith({}) });
    expect([code, err]).toEqual([2, '--since and a program after -- do not go together: search one scenario with it\n']);
  });
});
