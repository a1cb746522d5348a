/** The results of exhaustive searches, as lines and as data. */
import { describe, expect, it } from 'vitest';
import type { Deviated, Explored, OrderFinding } from '../../../src/lab/search/index.ts';
import type { Reported } from '../../../src/surfaces/cli/search/files.ts';
import {
  deviatedDocument,
  deviatedLines,
  exploredDocument,
  exploredLines,
  type Story,
} from '../../../src/surfaces/cli/search/exhaustive.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { MARKED } from '../report/samples.ts';
import { CHOICES, FOUND as RAW } from './searched.ts';

const LOADED = { scenario: { name: 'web' }, file: 'my web.yaml', flags: '--with mine.ts' } as never;
const PLAINLY = { scenario: { name: 'web' }, file: 'web.yaml' } as never;
const FOUND: Reported = { ...RAW, words: ['it broke'], file: 'found-web-1.yaml' };

describe('orders within instants', () => {
  const ORDER: OrderFinding = { cause: { claim: 'job/y', message: 'late\nmore' }, picks: [0, 2], words: [], seen: 1, firstRun: 2 };
  const EXPLORED: Explored = {
    runs: 12,
    states: 1,
    ends: new Set(['a']),
    deepest: 4,
    complete: true,
    cut: 0,
    elsewhere: 0,
    findings: [],
  };
  const STORY: Story = { latest: EXPLORED, reported: [], orders: [], stopped: undefined, given: false };
  const lines = (more: Partial<Story>, latest: Partial<Explored> = {}) =>
    exploredLines({ ...STORY, ...more, latest: { ...EXPLORED, ...latest } }, PLAINLY, PLAIN);
  const COMPLETE = '  complete: up to 4 branchings in one run, 1 final state; independent events were tried in one order only';

  it('that hold say how complete they were', () => {
    expect(exploredLines(STORY, PLAINLY, MARKED)).toEqual([
      '<good>✓ web: it holds in every order within its instants</good>  <dim>12 runs · 1 state</dim>',
      '',
      COMPLETE,
    ]);
    const part = COMPLETE.replace('complete', 'not complete').replace('1 final state', '2 final states');
    expect(
      lines({ given: true, stopped: 'spent' }, { runs: 1, states: 2, ends: new Set(['a', 'b']), complete: false, cut: 1, elsewhere: 2 }),
    ).toEqual([
      '✓ web: no order that was tried broke it  1 run · 2 states',
      '',
      part,
      '  the scenario gives no latencies, so these apply: 2 ms for a request, 1 ms for a watch event',
      '  2 runs broke something in built-in code alone, which is no finding (--judge all makes it one)',
      '  1 order deeper than --depth were not tried',
      '  a larger --budget tries more (plateau: everything)',
    ]);
    expect(lines({ stopped: 'interrupted' }, { complete: false }).at(-1)).toBe('  interrupted');
    expect(lines({ stopped: 'interrupted' }).at(-1)).toBe(COMPLETE);
    expect(lines({}, { complete: false }).at(-1)).toBe(COMPLETE.replace('complete', 'not complete'));
  });

  it('that break are findings with a file, or without one where no delay makes them', () => {
    const story: Story = { ...STORY, reported: [FOUND], orders: [ORDER, { ...ORDER, words: ['job first', 'then node'], seen: 2 }] };
    expect(exploredLines(story, LOADED, MARKED)).toEqual([
      '<bad>✗ web: 3 findings</bad>  <dim>12 runs · 1 state</dim>',
      '',
      '  1  <strong>job/x</strong>',
      '     it broke',
      '<dim>     seen in 3 runs</dim>',
      '     see it again: npx orchsim run found-web-1.yaml --with mine.ts -v',
      '     on a page, opened where it breaks: npx orchsim run found-web-1.yaml --with mine.ts --page found-web-1.html',
      '',
      '  2  <strong>job/y</strong>',
      '     late',
      '     more',
      '<dim>     seen in 1 run; no delay reproduces it, so no file is written</dim>',
      "     see it again: npx orchsim search 'my web.yaml' --with mine.ts --exhaustive",
      '',
      '  3  <strong>job/y</strong>',
      '     late',
      '     more',
      '     out of order:',
      '     - job first',
      '     - then node',
      '<dim>     seen in 2 runs; no delay reproduces it, so no file is written</dim>',
      "     see it again: npx orchsim search 'my web.yaml' --with mine.ts --exhaustive",
      '',
      COMPLETE,
    ]);
    expect(lines({ orders: [ORDER] })[0]).toBe('✗ web: 1 finding  12 runs · 1 state');
    expect(exploredDocument({ ...story, orders: [ORDER] }, 'web', 1)).toEqual({
      exitCode: 1,
      scenario: 'web',
      way: 'exhaustive',
      runs: 12,
      states: 1,
      ends: 1,
      deepest: 4,
      complete: true,
      cut: 0,
      elsewhere: 0,
      latencyGiven: false,
      findings: [
        { claim: 'job/x', words: ['it broke'], choices: CHOICES, file: 'found-web-1.yaml', seen: 3 },
        { claim: 'job/y', message: 'late\nmore', words: [], picks: [0, 2], seen: 1 },
      ],
    });
  });
});

describe('single faults', () => {
  const DEVIATED: Deviated = {
    runs: 20,
    all: 20,
    points: new Map([
      ['write', 3],
      ['see', 4],
    ]),
    stuck: 0,
    elsewhere: 0,
    catches: [],
  };
  const POINTS = '  at 7 points: write 3, see 4';

  it('that break nothing say how many were tried', () => {
    expect(deviatedLines(DEVIATED, PLAINLY, [], undefined, MARKED)).toEqual([
      '<good>✓ web: no single fault breaks it</good>  <dim>all 20 tried</dim>',
      '',
      POINTS,
    ]);
    expect(deviatedLines({ ...DEVIATED, runs: 19, stuck: 1, elsewhere: 1 }, PLAINLY, [], 'spent', PLAIN)).toEqual([
      '✓ web: no single fault that was tried broke it  19 of 20 tried',
      '',
      POINTS,
      '  1 run broke something in built-in code alone, which is no finding (--judge all makes it one)',
      '  1 run ended early, because a step failed',
      '  more --budget tries more (plateau: all of them)',
    ]);
    const single = { ...DEVIATED, points: new Map([['write', 1]] as const) };
    expect(deviatedLines(single, PLAINLY, [], 'interrupted', PLAIN).slice(2)).toEqual(['  at 1 point: write 1', '  interrupted']);
  });

  it('that break something are findings', () => {
    expect(deviatedLines(DEVIATED, LOADED, [FOUND], undefined, MARKED)).toEqual([
      '<bad>✗ web: 1 finding</bad>  <dim>all 20 tried</dim>',
      '',
      '  1  <strong>job/x</strong>',
      '     it broke',
      '     see it again: npx orchsim run found-web-1.yaml --with mine.ts -v',
      '     on a page, opened where it breaks: npx orchsim run found-web-1.yaml --with mine.ts --page found-web-1.html',
      '',
      POINTS,
    ]);
    expect(deviatedDocument({ ...DEVIATED, stuck: 2, elsewhere: 5 }, 'web', [FOUND], 1)).toEqual({
      exitCode: 1,
      scenario: 'web',
      way: 'deviations',
      runs: 20,
      all: 20,
      stuck: 2,
      elsewhere: 5,
      points: { write: 3, see: 4 },
      findings: [{ claim: 'job/x', words: ['it broke'], choices: CHOICES, file: 'found-web-1.yaml', seen: 3 }],
    });
  });
});
