/** What `drive` and a search with programs print: results, failures, traces with logs, findings. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faults } from '../../../src/lab/faults/index.ts';
import type { ProgramFinding, ProgramSearched } from '../../../src/surfaces/drive/index.ts';
import { linesOf } from '../../../src/surfaces/cli/drive/search.ts';
import { MARKED } from '../report/samples.ts';
import { cli, folderWith, silentIo } from './cli.ts';

const HOLDS = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: driven }
spec:
  until: 5s
  cluster: { nodes: { count: 0 } }
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: "1" } }
    - at: 4s
      expect: { match: { kind: ConfigMap, metadata: { name: web } } }
`;
const FILES = { 'a.yaml': HOLDS, 'b.yaml': HOLDS.replace('name: driven', 'name: breaks').replace('name: web } } }', 'name: none } } }') };
const PROGRAM = [process.execPath, '-e', 'console.log("hello"); setInterval(() => {}, 1000)'];
const STARTED = ['--ready', 'started', '--idle', '1ms'];
/** The output without what depends on the machine or the engine. */
const stable = (text: string): string =>
  text
    .replaceAll(process.execPath, 'NODE')
    .replaceAll(/\d+\.\d+ s\b/g, 'TIME')
    .replaceAll(/\d+ writes · \d+ decisions · .* digest [0-9a-f]+/g, 'FACTS')
    .replaceAll(/#\d+ +/g, '#N ')
    .replaceAll(/#\d+,/g, '#N,')
    .replaceAll(/rv \d+/g, 'rv N');
const QUOTED = `NODE -e 'console.log("hello"); setInterval(() => {}, 1000)'`;

async function said(words: readonly string[], cwd = folderWith(FILES)) {
  const { code, out, err } = await cli([...words, '--', ...PROGRAM], { cwd });
  return { code, out: stable(out), err };
}

/** Programs run on real time, which a busy machine takes from them: what a program does must show in one of three tries. */
const REAL_TIME = { retry: 2 } as const;

describe('drive', REAL_TIME, () => {
  it('prints the result, and when the program was ready', async () => {
    expect(await said(['drive', 'a.yaml', ...STARTED])).toEqual({
      code: 0,
      out: `✓ driven${' '.repeat(36)}5.000s\n  FACTS\n  ready after TIME and 0 requests; TIME in all\n`,
      err: '',
    });
  });

  it('prints what failed, its causes, the timeline with lines of the program, and where the trace is', async () => {
    const cwd = folderWith(FILES);
    const printed = `${' '.repeat(11)}node prints: hello\n`;
    const { code, out, err } = await said(['drive', 'b.yaml', ...STARTED, '-v', '--trace', 'run.jsonl'], cwd);
    expect([code, err]).toEqual([1, '']);
    expect(out).toContain(printed);
    expect(out.replace(printed, '')).toBe(`   1.000s  #N scenario                              apply ConfigMap/web
   1.000s  #N user               web                create ConfigMap  rv N
   4.000s  #N check              expectation        BROKEN   no ConfigMap matches; nearest is ConfigMap default/orch-root-ca.crt
✗ breaks${' '.repeat(36)}5.000s
  FACTS
  ready after TIME and 0 requests; TIME in all

  expectation failed: no ConfigMap matches; nearest is ConfigMap default/orch-root-ca.crt
    metadata.name  expected "none"  found "orch-root-ca.crt"
    at 4.000s, step #N, b.yaml:11:15

  causes, the latest first:
     1.000s  #N user               web                create ConfigMap  rv N
     1.000s  #N scenario                              apply ConfigMap/web

  see it again: npx orchsim drive b.yaml --ready started --idle 1ms -- ${QUOTED}
  the trace is run.jsonl, the log run.node.log
`);
    expect(readFileSync(join(cwd, 'run.node.log'), 'utf8')).toBe('   0.000s  hello\n');
    const [head = '', ...entries] = readFileSync(join(cwd, 'run.jsonl'), 'utf8').trimEnd().split('\n');
    expect(JSON.parse(head)).toMatchObject({ trace: 'orchsim/v1', scenario: 'breaks', seed: 1, domain: 'orch.io' });
    expect(entries.length).toBeGreaterThan(90);
    expect((await cli(['why', 'ConfigMap/web', 'run.jsonl'], { cwd })).out).toContain('apply ConfigMap/web');
  });

  it('prints a document, under another seed', async () => {
    const { code, out, err } = await said(['drive', 'a.yaml', ...STARTED, '--json', '-v', '--seed', '9']);
    expect([code, err]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ held: 1, exitCode: 0, runs: [{ scenario: 'driven', seed: 9, verdict: 'held' }] });
  });

  it('keeps files of users', async () => {
    const cwd = folderWith({ ...FILES, 'run.jsonl': 'mine' });
    expect(await said(['drive', 'a.yaml', ...STARTED, '--trace', 'run.jsonl'], cwd)).toMatchObject({
      code: 2,
      err: '--trace: run.jsonl exists and has other contents; --force overwrites it\n',
    });
    expect(existsSync(join(cwd, 'run.node.log'))).toBe(false);
  });
});

describe('a search with programs', REAL_TIME, () => {
  const search = (...words: readonly string[]) => said(['search', ...words, ...STARTED, '--jobs', '1']);

  it('makes runs up to its budget', async () => {
    expect(await search('a.yaml', '--budget', '1', '--faults', 'crash, lag')).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^✓ driven: 0 findings {2}1 runs with faults\n {2}2 runs in TIME, \d+\.\d a second with 1 side by side\n {2}a run takes TIME: /,
      ) as unknown,
      err: '',
    });
  });

  it('needs a scenario that holds without faults', async () => {
    expect(await search('b.yaml', '--budget', '1')).toEqual({
      code: 1,
      out: '✗ breaks: it does not hold without faults\n  no ConfigMap matches; nearest is ConfigMap default/orch-root-ca.crt\n',
      err: '',
    });
  });

  it('refuses what it cannot do', async () => {
    const confirm = (text: string) => search('a.yaml', '--budget', '1', '--confirm', text);
    for (const wrong of ['0', '6', '4/3', 'x', '1/2/3', '3 '])
      expect((await confirm(wrong)).err).toBe(
        `--confirm: expected from 1 to 5, or a number of a number such as 4/6, found ${JSON.stringify(wrong)}\n`,
      );
    expect((await search('a.yaml', '--budget', 'plateau')).err).toBe('--budget: a search with programs takes a time or a number of runs\n');
    expect((await search('a.yaml', '--budget', '1', '--faults', 'crsh')).err).toMatch(
      /^--faults: expected one of crash, .*, freeze, found "crsh"; did you mean "crash"\?\n$/,
    );
    const jobs = await said(['search', 'a.yaml', ...STARTED, '--jobs', '2', '--in-cluster', 'pod']);
    expect(jobs.err).toBe('--in-cluster: a folder is of one run at a time: add --jobs 1, or leave the folder away\n');
  });

  const finding: ProgramFinding = {
    broke: 'one-greeting',
    words: ['two greetings', '  of a  '],
    faults: [
      { before: 0, fault: { name: 'lag', subject: 'greeter', parameters: { by: 9_000, kinds: ['ConfigMap', 'Pod'] } } },
      { before: 3, fault: { name: 'failRequest', subject: 'greeter', parameters: { nth: 2, loseResponse: true } } },
      { before: 4, fault: { name: 'closeWatches', subject: 'greeter', parameters: {} } },
    ],
    scenario: {} as never,
    rate: { broke: 4, of: 5 },
    run: 7,
    confirmed: 1,
  };
  const SEARCHED: ProgramSearched = {
    findings: [],
    rare: [],
    runs: 20,
    allRuns: 30,
    startMs: 1_500,
    runMs: 2_000,
    worldMs: 250,
    firstRequestMs: 500,
    startRequests: 1,
    startLists: [],
    totalMs: 12_000,
  };
  const lines = (more: Partial<ProgramSearched>): readonly string[] =>
    linesOf({ ...SEARCHED, ...more }, ['found 1.yaml', 'found-2.yaml'], 'greeted', (file) => `npx orchsim drive ${file}`, faults, 2, {
      ...silentIo('/'),
      palette: MARKED,
    });

  it('says how long its runs took', () => {
    expect(lines({})).toEqual([
      '<good>✓</good> greeted: 0 findings  20 runs with faults',
      '<dim>  30 runs in 12.0 s, 2.5 a second with 2 side by side</dim>',
      '<dim>  a run takes 2.00 s: 0.50 s until the program asks for the first time (the world is made meanwhile, in 0.25 s), 1.00 s until it is ready (1 request), 0.50 s for the steps</dim>',
    ]);
    expect(lines({ totalMs: 9_999, startRequests: 3, startLists: ['ConfigMap', 'Pod'] }).slice(1)).toEqual([
      '<dim>  30 runs in 10.00 s, 3.0 a second with 2 side by side</dim>',
      '<dim>  a run takes 2.00 s: 0.50 s until the program asks for the first time (the world is made meanwhile, in 0.25 s), 1.00 s until it is ready (3 requests, lists of ConfigMap, Pod), 0.50 s for the steps</dim>',
    ]);
  });

  it('names each finding with its faults as a scenario writes them, and what broke too rarely', () => {
    const other = { ...finding, broke: 'late', words: [], faults: [], confirmed: 12 };
    expect(lines({ findings: [finding, other], rare: ['a', 'b'] })).toEqual([
      '<bad>✗</bad> greeted: 2 findings  20 runs with faults',
      ...lines({}).slice(1),
      '',
      '  <strong>one-greeting</strong>: broke 4 of 5 runs',
      '     two greetings',
      '     of a',
      '     - before step 1: { lag: greeter, by: 9s, kinds: [ConfigMap, Pod] }',
      '     - before step 4: { failRequest: greeter, nth: 2, loseResponse: true }',
      '     - before step 5: { closeWatches: greeter }',
      '     found in run 7; confirmed and reduced in 1 run',
      '     see it again: npx orchsim drive found 1.yaml',
      '',
      '  <strong>late</strong>: broke 4 of 5 runs',
      '     found in run 7; confirmed and reduced in 12 runs',
      '     see it again: npx orchsim drive found-2.yaml',
      '',
      '  broke once, and too rarely after that: a; b',
    ]);
  });
});
