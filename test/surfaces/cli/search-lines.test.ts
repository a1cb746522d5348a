/** The result of a search, as lines and as data: what was found, what was judged, what was tried and what was not. */
import { describe, expect, it } from 'vitest';
import type { Catch, Reach } from '../../../src/lab/search/index.ts';
import type { Reported } from '../../../src/surfaces/cli/search/files.ts';
import {
  elsewhereText,
  findingLines,
  type SearchCoverage,
  type Story,
  storyDocument,
  storyLines,
} from '../../../src/surfaces/cli/search/report-lines.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { MARKED } from '../report/samples.ts';
import { CHOICES, FOUND, LOOKED, MOMENTS, REACH, STATISTICS, STORY } from './searched.ts';

const lines = (more: Partial<Story>, palette = PLAIN): readonly string[] => storyLines({ ...STORY, ...more }, palette);
const REACHED = '  1,000 runs reached 2 reasons of 1 controller: half of them by run 0, 90 % by run 3, the last new one in run 3';

describe('a search that found nothing', () => {
  it('says what was judged, tried and reached', () => {
    expect(lines({}, MARKED)).toEqual([
      '<good>✓ web: nothing that was tried broke it</good>  <dim>1,000 runs · seed 1</dim>',
      '',
      '  judged: everything, as no controller here is yours',
      '  no fault that was tried broke it: 1,500 of 2,000 single faults (2 kinds at 12 moments of all controllers); pairs of moments: 3 of 4,000 tried',
      REACHED,
    ]);
  });

  it('says whose failures count, and that all single faults were tried', () => {
    const moments = { ...MOMENTS, controllers: ['mine', 'yours'], moments: 1, kinds: 1, single: { tried: 5, of: 5 } };
    expect(lines({ moments }).slice(2, 4)).toEqual([
      '  judged: your expectations and invariants, and mine, yours; built-in code apart (--judge all)',
      '  no fault of these 1 kind at any of 1 moment of mine, yours broke it; pairs of moments: 3 of 4,000 tried',
    ]);
    expect(lines({ moments, judge: 'all' })[2]).toBe('  judged: everything (--judge all), mine, yours included');
    expect(lines({ moments: { ...MOMENTS, moments: 0 } }).slice(2)).toEqual([
      '  judged: everything, as no controller here is yours',
      REACHED,
    ]);
  });

  it('says of which part of a search it is', () => {
    const head = (part: Story['part']): string | undefined => lines({ part })[0]?.split(' · ').at(-1);
    expect(head({ index: 2, of: 8, missing: [] })).toBe('part 2 of 8');
    expect(head({ of: 8, missing: [3, 4] })).toBe('6 parts of 8');
    expect(head({ of: 2, missing: [2] })).toBe('1 part of 2');
  });

  it('says what was left out at the end', () => {
    const rest = (more: Partial<Story>): readonly string[] => lines(more).slice(5);
    expect(rest({ part: { index: 1, of: 2, missing: [] } })).toEqual([]);
    const statistics = { ...STATISTICS, stuck: 1, replayed: 2, kept: new Map([[3, CHOICES]]) };
    expect(
      rest({
        left: 2,
        lost: 1,
        statistics,
        corpus: { folder: 'corpus', added: 1 },
        part: { of: 3, missing: [2, 3] },
        interrupted: true,
        merge: 'npx orchsim search web.yaml --merge REPORT...',
      }),
    ).toEqual([
      '  not checked: 2 expectations in the middle of the scenario, about an instant that any delay moves',
      '  1 run ended early, because a step failed',
      '  1 failure did not reproduce from its choices alone',
      '  corpus corpus: 2 runs replayed first; 1 of 1 new runs were added',
      '  missing: 2 parts of 3: 2, 3',
      '  interrupted after 1 s',
      '  findings are reduced when the parts are merged: npx orchsim search web.yaml --merge REPORT...',
    ]);
  });
});

describe('a finding', () => {
  it('has its story, whose decision broke it, a remedy, and commands that show it', () => {
    const told: Reported['told'] = {
      story: [],
      also: ['job/y', 'job/z'],
      decider: { controller: 'mine', process: 'controller-manager', isMine: true },
      hint: { idiom: 'owner references', text: 'set one', topic: 'controllers' },
    } as never;
    const found: Reported = { ...FOUND, told, file: 'my found.yml', shrinks: 1 };
    expect(lines({ findings: [found, FOUND], flags: '--with mine.ts' }, MARKED).slice(0, 14)).toEqual([
      '<bad>✗ web: 2 findings</bad>  <dim>1,000 runs · seed 1</dim>',
      '',
      '  1  <strong>job/x</strong><dim>  by a decision of mine (yours)</dim>',
      '     it broke',
      '     twice',
      '     the same breaks: job/y; job/z',
      '     what usually mends it: owner references: set one (npx orchsim help controllers)',
      '<dim>     seen in 3 of 1,000 runs, first in run 7; reduced in 1 run</dim>',
      "     see it again: npx orchsim run 'my found.yml' --with mine.ts -v",
      "     on a page, opened where it breaks: npx orchsim run 'my found.yml' --with mine.ts --page 'my found.html'",
      '',
      '  2  <strong>job/x</strong>',
      '     it broke',
      '     twice',
    ]);
    expect(lines({ findings: [FOUND] }).find((line) => line.includes('single faults'))).toBe(
      '  tried so far: 1,500 of 2,000 single faults (2 kinds at 12 moments of all controllers); pairs of moments: 3 of 4,000 tried',
    );
  });

  it('says how often it was seen, and whether it was reduced', () => {
    const seen = (more: Partial<Reported>): string | undefined =>
      lines({ findings: [{ ...FOUND, ...more }] }).find((line) => line.startsWith('     seen in'));
    expect(seen({})).toBe('     seen in 3 of 1,000 runs, first in run 7');
    expect(seen({ firstRun: 1, shrinks: 12 })).toBe('     seen in 3 of 1,000 runs, first in run 1; reduced in 12 runs');
    expect(seen({ firstRun: 0, file: 'a.yaml' })).toBe('     seen in 3 of 1,000 runs, first in a run of the corpus; not reduced');
  });

  it('of a built-in controller names its process', () => {
    const told = { also: [], decider: { controller: 'job', process: 'controller-manager', isMine: false } } as never;
    expect(findingLines({ claim: 'c', words: [], file: 'a.yaml', told }, 3, undefined, undefined, PLAIN)).toEqual([
      '',
      '  3  c  by a decision of job (built in, controller-manager)',
      '     see it again: npx orchsim run a.yaml -v',
      '     on a page, opened where it breaks: npx orchsim run a.yaml --page a.html',
    ]);
    expect(findingLines({ claim: 'c', words: [], file: undefined }, 1, undefined, undefined, PLAIN)).toEqual(['', '  1  c']);
  });

  it('in built-in code alone is listed apart', () => {
    const caught = (more: object): Catch => ({
      cause: { claim: 'job/x', message: 'late\nmore', ...more },
      choices: [],
      run: 1,
      firstRun: 4,
      seen: 2,
    });
    expect(lines({ elsewhere: [caught({}), caught({ controller: 'job' })] }).slice(1, 6)).toEqual([
      '',
      '  in built-in code alone, so it is no finding (--judge all makes it one):',
      '     job/x: late (in 2 of 1,000 runs, first in run 4)',
      '     job/x, by job: late (in 2 of 1,000 runs, first in run 4)',
      '',
    ]);
    expect(elsewhereText(0)).toEqual([]);
    expect(elsewhereText(1)).toEqual(['  1 run broke something in built-in code alone, which is no finding (--judge all makes it one)']);
  });
});

describe('what a search has covered', () => {
  const tally = (injectedFault: string, whom: string, times: number, broke: number, news: number, nothing: number) => ({
    injectedFault,
    whom,
    times,
    broke,
    news,
    nothing,
  });
  const reach: Reach = {
    ...REACH,
    tried: [tally('lose', 'job', 4, 1, 0, 3), tally('hold', 'node', 2, 0, 2, 0), tally('lose', 'node', 1, 0, 0, 1)],
    untried: [{ injectedFault: 'crash', whom: 'job' }],
    idle: ['job/a', 'job/b'],
  };
  const rows = [
    { injectedFault: 'lose', whom: 'job', tried: 0, of: 5 },
    { injectedFault: 'hold', whom: 'node', tried: 3, of: 4 },
  ] as never;
  const covered = (looked: Partial<SearchCoverage>, palette = PLAIN): readonly string[] =>
    lines({ looked: { ...LOOKED, ...looked }, moments: { ...MOMENTS, rows } }, palette).slice(4);

  it('is short without --coverage', () => {
    expect(covered({ reach })).toEqual([REACHED, '  not exercised in any run: job/a, job/b']);
  });

  it('is whole with it', () => {
    expect(covered({ reach, whole: true })).toEqual([
      REACHED,
      '  2 of 3 reasons in the sources of these controllers were given; not: job: never',
      '  faults: hold 2, lose 5',
      '  3 of 4 pairs of a fault and a target were tried; not: crash (job)',
      '    FAULT  TO    TIMES  BROKE  NEW REASON  NOTHING NEW',
      '    lose   job   4      1      ·           3',
      '    hold   node  2      ·      2           ·',
      '    lose   node  1      ·      ·           1',
      '  not exercised in any run: job/a, job/b',
      '    FAULT  TO    MOMENTS TRIED  OF',
      '    lose   job   ·              5',
      '    hold   node  3              4',
    ]);
    expect(covered({ reach, whole: true }, MARKED).slice(4, 6)).toEqual([
      '<dim>    FAULT</dim>  <dim>TO</dim>  <dim>TIMES</dim>  <dim>BROKE</dim>  <dim>NEW REASON</dim>  <dim>NOTHING NEW</dim>',
      '    lose              job            4                 1                 <dim>·</dim>           3',
    ]);
  });

  it('is whole of sources without what is missing, and of nothing', () => {
    const known = { faults: [], reasons: { job: ['begins'] } };
    expect(covered({ whole: true, known, reach: { ...REACH, tried: [] } }).slice(1, 3)).toEqual([
      '  1 of 1 reason in the sources of these controllers were given',
      '  faults: none',
    ]);
    expect(covered({ whole: true, known: { faults: [], reasons: {} } })[1]).toBe('  faults: none');
    expect(lines({ looked: { ...LOOKED, whole: true } }).at(-1)).toBe('  faults: none');
  });

  it('says that more may be found where new reasons were still being reached', () => {
    const more = '  new reasons were still being reached at the end: a larger --budget may find more';
    const at = (run: number): boolean => covered({ runs: 100, reach: { ...REACH, curve: [{ run, reasons: 2 }] } }).includes(more);
    expect([at(75), at(76), at(100)]).toEqual([false, true, true]);
    expect(covered({ runs: 1, reach: { ...REACH, curve: [] } })[0]).toMatch(/the last new one in run 0$/);
  });
});

describe('the document of a search', () => {
  it('has everything', () => {
    const statistics = { ...STATISTICS, stuck: 2, replayed: 4, kept: new Map([[3, CHOICES]]) };
    const elsewhere = [{ cause: { claim: 'c', message: 'm', controller: 'job' }, choices: [], run: 1, firstRun: 4, seen: 2 }];
    const told = { story: ['s'], also: ['a'] } as never;
    const tried = [{ injectedFault: 'lose', whom: 'job', times: 4, broke: 1, news: 0, nothing: 3 }];
    const looked = { ...LOOKED, reach: { ...REACH, tried, untried: [{ injectedFault: 'crash', whom: 'job' }], idle: ['i'] } };
    const part = { of: 2, missing: [2] };
    const story: Story = {
      ...STORY,
      statistics,
      looked,
      elsewhere,
      findings: [{ ...FOUND, file: 'a.yaml', shrinks: 3, told }],
      lost: 1,
      left: 5,
      interrupted: true,
      part,
      corpus: { folder: 'corpus', added: 1 },
    };
    const common = { exitCode: 1, scenario: 'web', seed: 1, runs: 1_000, judge: 'mine' };
    const covered = {
      moments: MOMENTS,
      reasons: ['job: begins', 'job: it is done'],
      sources: [
        {
          of: 'job',
          taken: [
            { reason: 'begins', times: 1 },
            { reason: 'it is done', times: 1 },
          ],
          missed: ['never'],
        },
      ],
      curve: REACH.curve,
    };
    expect(storyDocument(story, 1)).toEqual({
      ...common,
      part,
      interrupted: true,
      findings: [
        {
          claim: 'job/x',
          story: ['s'],
          also: ['a'],
          words: ['it broke', 'twice'],
          choices: CHOICES,
          file: 'a.yaml',
          seen: 3,
          firstRun: 7,
          shrinks: 3,
        },
      ],
      elsewhere: [{ claim: 'c', controller: 'job', message: 'm', seen: 2, firstRun: 4 }],
      looked: {
        ...covered,
        kept: 1,
        stuck: 2,
        lost: 1,
        faults: { lose: 4 },
        tried,
        untried: [{ injectedFault: 'crash', whom: 'job' }],
        neverAtStake: ['i'],
        notAsked: 5,
        corpus: { folder: 'corpus', added: 1, replayed: 4 },
      },
    });
    expect(storyDocument(STORY, 1)).toEqual({
      ...common,
      findings: [],
      elsewhere: [],
      looked: { ...covered, kept: 0, stuck: 0, lost: 0, faults: {}, tried: [], untried: [], neverAtStake: [], notAsked: 0 },
    });
  });
});
