/** `run --page`, `--page-on-failure`: pages of runs that open from disk. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PageData, RunData } from '../../../src/surfaces/page/protocol.ts';
import { readRecording } from '../../../src/surfaces/page/packing.ts';
import { loadScenarios } from '../../../src/surfaces/cli/load.ts';
import { writePages } from '../../../src/surfaces/cli/page/recordings.ts';
import { timed } from '../../../src/surfaces/cli/run/task.ts';
import { BREAKS, cli, folderWith, HOLDS, RACE, ROOT, silentIo } from './cli.ts';

const built = existsSync(join(ROOT, 'dist/recording.html'));
if (!built) console.log('test/surfaces/cli/run-page.test.ts skipped: dist/ is not built (npm run build)');

/** A pod that fails at random. */
const CHANCE = BREAKS.replace('metadata: { name: breaks }', 'metadata: { name: chance }');

function dataOf(file: string): PageData {
  const html = readFileSync(file, 'utf8');
  const [, json = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as PageData;
}

const runsOf = (file: string): readonly RunData[] =>
  (dataOf(file).runs ?? []).flatMap(({ packed }) =>
    packed === undefined ? [] : [readRecording(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8'))],
  );

it.each([
  ['page', ['page', 'x.yaml', '--with', 'own.ts']],
  ['play', ['play', '--with=own.ts']],
])('%s has no plugins, and names the command that has', async (_, args) => {
  const { code, err } = await cli(args);
  expect([code, err]).toEqual([2, expect.stringMatching(/^--with: .*orchsim run PATH --with FILE --page OUT/)]);
});

describe.skipIf(!built)('run --page', () => {
  it('writes the run with the printed digest, and no engine', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    const { code, out, err } = await cli(['run', 'holds.yaml', '--page', 'p.html'], { cwd });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^page: p\.html$/m);
    const [run] = runsOf(join(cwd, 'p.html'));
    expect(out).toContain(`digest ${run?.digest}`);
    expect(run?.trace.entries.length).toBeGreaterThan(20);
    expect(readFileSync(join(cwd, 'p.html'), 'utf8')).toContain('<script type="text/plain" id="engine"></script>');
  });

  it('contains all runs, broken ones first', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    const { code } = await cli(['run', '.', '--page', 'p.html', '--jobs', '2'], { cwd });
    expect(code).toBe(1);
    const { open, runs = [] } = dataOf(join(cwd, 'p.html'));
    expect(open).toBe('breaks');
    expect(runs.map(({ scenario, verdict }) => [scenario, verdict])).toEqual([
      ['breaks', 'broken'],
      ['holds', 'held'],
    ]);
    expect(runsOf(join(cwd, 'p.html'))).toHaveLength(2);
  });

  it('lists the failing seeds of a sweep with their failures, and contains these and one that held', async () => {
    const cwd = folderWith({ 'chance.yaml': CHANCE, 'holds.yaml': HOLDS });
    await cli(['run', '.', '--seeds', '3..5', '--page', 'p.html', '--page-on-failure', 'out', '--jobs', '2'], { cwd });
    const { runs = [] } = dataOf(join(cwd, 'p.html'));
    expect(runs.map(({ scenario, seed, packed }) => `${scenario} ${seed} ${packed === undefined ? 'listed' : 'contained'}`)).toEqual([
      'chance 3 contained',
      'chance 4 contained',
      'chance 5 contained',
      'holds 3 contained',
      'holds 4 listed',
      'holds 5 listed',
    ]);
    const [first] = runs;
    expect(first?.replay).toBe('npx orchsim run chance.yaml --seed 3 -v');
    expect([first?.by, first?.message]).toEqual(['expectation', expect.stringContaining('Job')]);
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual(['chance-seed-3.html', 'chance-seed-4.html', 'chance-seed-5.html']);
  });

  it('tells scenarios of one name apart by their files', async () => {
    const cwd = folderWith({ 'a.b/x.yaml': BREAKS, 'c  d/y.yml': BREAKS, 'c  d/z.yml': `${HOLDS}---\n${CHANCE}` });
    await cli(['run', '.', '--page', 'p.html', '--page-on-failure', 'out'], { cwd });
    const { open, seed, scenarios, runs = [] } = dataOf(join(cwd, 'p.html'));
    expect([open, seed]).toEqual(['a.b/x#breaks', 1]);
    // A scenario of several in a file says which of them it is.
    expect(scenarios.map(({ name, title, file, scenario }) => [name, title, file, scenario])).toEqual([
      ['a.b/x#breaks', 'A Job called breaks', 'a.b/x.yaml', undefined],
      ['c  d/y#breaks', 'A Job called breaks', 'c  d/y.yml', undefined],
      ['holds', 'A Job called holds', 'c  d/z.yml', 'holds'],
      ['chance', 'A Job called breaks', 'c  d/z.yml', 'chance'],
    ]);
    expect(runs.map(({ scenario, replay }) => [scenario, replay])).toEqual([
      ['a.b/x#breaks', 'npx orchsim run a.b/x.yaml --seed 1 -v'],
      ['c  d/y#breaks', "npx orchsim run 'c  d/y.yml' --seed 1 -v"],
      ['holds', "npx orchsim run 'c  d/z.yml' --seed 1 -v"],
      ['chance', "npx orchsim run 'c  d/z.yml' --seed 1 -v"],
    ]);
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual([
      'a-b-x-breaks-seed-1.html',
      'c-d-y-breaks-seed-1.html',
      'chance-seed-1.html',
    ]);
  });

  it('lists what failing seeds have in common', async () => {
    const cwd = folderWith({ 'race.yaml': RACE, 'breaks.yaml': BREAKS });
    await cli(['run', '.', '--seeds', '18..20', '--page', 'p.html', '--page-on-failure', 'out', '--jobs', '1'], { cwd });
    const inShort = ({ common = [] }: PageData) =>
      common.map(({ scenario, failureGroup, comparedWith, features }) => [
        `${scenario}: ${failureGroup}, compared with: ${comparedWith}`,
        ...features.map(({ text, here, elsewhere }) => `${text.slice(0, 30)} ${here} ${elsewhere}`),
      ]);
    const common = [
      [
        'race: expected 3 of Pod, found 2, compared with: held',
        'controller-manager crashed, ri 1 0',
        'fault crash controller-manager 1 0',
        'agent/node-2 node-2 update Lea 1 0',
      ],
    ];
    const { runs = [], ...data } = dataOf(join(cwd, 'p.html'));
    expect(inShort(data)).toEqual(common);
    expect(
      runs.filter(({ scenario }) => scenario === 'race').map(({ seed, verdict, failureGroup }) => [seed, verdict, failureGroup]),
    ).toEqual([
      [18, 'held', undefined],
      [19, 'broken', 'expected 3 of Pod, found 2'],
      [20, 'held', undefined],
    ]);
    // A page of a failure that the features are not about has none.
    expect(inShort(dataOf(join(cwd, 'out/race-seed-19.html')))).toEqual(common);
    expect('common' in dataOf(join(cwd, 'out/breaks-seed-18.html'))).toBe(false);
  });

  it('writes no page without a failure, and a small one otherwise', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });
    await cli(['run', 'holds.yaml', '--page-on-failure', 'out'], { cwd });
    expect(existsSync(join(cwd, 'out'))).toBe(false);
    const { err } = await cli(['run', '.', '--page-on-failure', 'out', '--json'], { cwd });
    expect(err).toBe('page: out/breaks-seed-1.html\n');
    expect(runsOf(join(cwd, 'out/breaks-seed-1.html'))[0]?.failures[0]?.step).toBeGreaterThan(0);
  });

  it('overwrites its own pages, and nothing else without --force', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'breaks.yaml': BREAKS, 'mine.html': '<!doctype html>\n<title>mine</title>\n' });
    for (let time = 0; time < 2; time++) expect((await cli(['run', 'holds.yaml', '--page', 'p.html'], { cwd })).code).toBe(0);
    const refused = await cli(['run', 'holds.yaml', '--page', 'mine.html'], { cwd });
    expect([refused.code, refused.out]).toEqual([2, '']);
    expect(refused.err).toContain('--page: mine.html exists and has other contents; --force overwrites it');
    writeFileSync(join(cwd, 'breaks-seed-1.html'), 'notes');
    const also = await cli(['run', 'breaks.yaml', '--page-on-failure', '.'], { cwd });
    expect([also.code, also.err]).toEqual([2, expect.stringContaining('breaks-seed-1.html exists and has other contents')]);
    const file = await cli(['run', 'breaks.yaml', '--page-on-failure', 'mine.html'], { cwd });
    expect([file.code, file.err]).toEqual([2, expect.stringContaining('mine.html is a file: expected a folder')]);
    expect(readFileSync(join(cwd, 'mine.html'), 'utf8')).toContain('mine');
    expect((await cli(['run', 'holds.yaml', '--page', 'mine.html', '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'mine.html'), 'utf8')).toContain('orchsim');
  });

  it('shows the chosen part, and its size', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    await cli(['run', 'holds.yaml', '--page', 'whole.html'], { cwd });
    const { out } = await cli(['run', 'holds.yaml', '--page', 'p.html', '--page-window', '1s..30s'], { cwd });
    const [whole] = runsOf(join(cwd, 'whole.html'));
    const [run] = runsOf(join(cwd, 'p.html'));
    const { from = 0, of } = run?.window ?? {};
    expect(of).toBe(whole?.trace.entries.length);
    expect(from).toBeGreaterThan(0);
    expect(run?.trace.entries).toEqual(whole?.trace.entries.slice(from));
    expect(out).toMatch(
      /page: holds, seed 1 has \d+ entries; the page shows \d+ of them, from .+ to .+; --page-window FROM\.\.TO chooses others/,
    );
    expect((await cli(['run', 'holds.yaml', '--page', 'p.html', '--page-window', 'soon'], { cwd })).err).toContain(
      '--page-window: expected two times since the start such as 10m..12m30s, found "soon"',
    );
    expect((await cli(['run', 'holds.yaml', '--page-window', '1s..2s'], { cwd })).err).toContain('add --page FILE');
  });

  it('leaves out a run of more than five million writes, deliveries and decisions, and says which command prints it', () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS });
    const [loaded] = loadScenarios(['holds.yaml'], { cwd });
    if (loaded === undefined) throw new Error('no scenario');
    const task = { ...loaded, seed: 4 };
    const { summary } = timed(task);
    const pageOf = (reconciles: number): readonly string[] => {
      const said: string[] = [];
      const run = { ...summary, counters: { ...summary.counters, commits: 2_000_000, deliveries: 2_000_000, reconciles } };
      writePages([{ task, run }], { page: 'p.html', force: true, showSecrets: false }, 'text', {
        ...silentIo(cwd),
        out: (text) => said.push(text),
      });
      return [...said, String(dataOf(join(cwd, 'p.html')).runs?.[0]?.packed !== undefined)];
    };
    expect(pageOf(1_000_001)).toEqual([
      'page: holds, seed 4: too long to be recorded; npx orchsim run holds.yaml --seed 4 --no-config -v prints it\n',
      'page: p.html\n',
      'false',
    ]);
    expect(pageOf(1_000_000)).toEqual(['page: p.html\n', 'true']);
  });
});
