/** What `run` prints for one scenario, several and a sweep, whole: headings, results, failures, totals, and what to try next. */
import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/surfaces/cli/run/task.ts';
import { during, timed } from '../../../src/surfaces/cli/run/task.ts';
import { folderLines, invitation, openingLines, titleLines } from '../../../src/surfaces/cli/run/frame.ts';
import { chosenOf } from '../../../src/surfaces/cli/choose.ts';
import { loadScenarios } from '../../../src/surfaces/cli/load.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { MARKED } from '../report/samples.ts';
import { BREAKS, cli, folderWith, HOLDS, silentIo } from './cli.ts';

const OTHER = HOLDS.replace('name: holds', 'name: other');
const spaces = (many: number): string => ' '.repeat(many);
const line = (mark: string, name: string, time: string, title: string): string =>
  `${mark} ${name.padEnd(34)} ${time.padStart(13)}  ${title}`;
/** The output without what changes with every change of the engine. */
const stable = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{16}\b/g, 'DIGEST')
    .replaceAll(/\d+ writes · \d+ decisions/g, 'COUNTS')
    .replaceAll(/\d+ writes/g, 'COUNT');
const run = async (
  words: readonly string[],
  files: Readonly<Record<string, string>> = { 'a.yaml': HOLDS, 'b.yaml': BREAKS, 'c.yaml': OTHER },
) => {
  const { code, out, err } = await cli(['run', ...words], { cwd: folderWith(files) });
  return { code, out: stable(out), err };
};

const FACTS = (seen: number, times: number): string =>
  `  COUNTS · ${seen} invariants held, exercised ${times} times · seed 1 · digest DIGEST\n`;
const OPENING = (many: number): string =>
  `${many} scenarios, each in a cluster of its own, on a virtual clock: the same seed gives the same run, byte for byte\n`;
const CAUSES = /\n {2}causes, the latest first:\n(?: .*\n)+/;
const FAILED = `
  expectation failed: no Job matches; nearest is Job default/pi
    status.succeeded  expected 2  found 1
    at 2.000s, step #44, b.yaml:10:15

  what it waits for:
    Job pi is complete since 1.000s
CAUSES

  see it again: npx orchsim run b.yaml --seed 1 -v
  or ask why:   npx orchsim why Job/pi b.yaml --seed 1 --at '#44'

`;

describe('run', () => {
  it('prints the result of one scenario, and what it teaches', async () => {
    const result = `${line('✓', 'holds', '3.000s', 'A Job called holds')}\n`;
    expect(await run(['a.yaml'])).toEqual({ code: 0, out: `${result}${FACTS(6, 10)}`, err: '' });
    const teaching = HOLDS.replace('spec:\n', 'spec:\n  teaches: Jobs count pods.\n');
    expect((await run(['a.yaml'], { 'a.yaml': teaching })).out).toBe(`${result}  Jobs count pods.\n${FACTS(6, 10)}`);
  });

  it('prints what failed, with its causes and the commands that show it', async () => {
    const { code, out, err } = await run(['b.yaml']);
    expect([code, err, out.replace(CAUSES, 'CAUSES\n')]).toEqual([
      1,
      '',
      `${line('✗', 'breaks', '2.000s', 'A Job called breaks')}\n${FACTS(5, 5)}${FAILED}`,
    ]);
    const causes = CAUSES.exec(out)?.[0].trimEnd().split('\n').slice(2) ?? [];
    expect(causes).toHaveLength(8);
    expect(causes.at(-1)).toBe(`     0.000s  #1     scenario${spaces(30)}apply Job/pi`);
  });

  it('prints a line for each of several, the failures in full, and the totals', async () => {
    expect(await run(['a.yaml', 'c.yaml'])).toEqual({
      code: 0,
      out: `${OPENING(2)}
${line('✓', 'holds', '3.000s', 'A Job called holds')}
${line('✓', 'other', '3.000s', 'A Job called holds')}

2 scenarios held, 0 did not
6.000s of virtual time · COUNT · invariants exercised 20 times

where to go from here:
  npx orchsim run a.yaml -v         what happened and why, a line each
  npx orchsim walk a.yaml           step by step: next, back, why, and "what if it crashed here?"
  npx orchsim why Job/pi a.yaml     what led to the state of an object
  npx orchsim run . --seeds 1..20   the same under twenty seeds
`,
      err: '',
    });
    const { code, out } = await run(['.']);
    expect([code, out.replace(CAUSES, 'CAUSES\n')]).toEqual([
      1,
      `${OPENING(3)}
${line('✓', 'holds', '3.000s', 'A Job called holds')}
${line('✗', 'breaks', '2.000s', 'A Job called breaks')}
${FACTS(5, 5)}${FAILED}${line('✓', 'other', '3.000s', 'A Job called holds')}

2 scenarios held, 1 did not
  did not hold:
    breaks  b.yaml, seed 1
8.000s of virtual time · COUNT · invariants exercised 25 times
`,
    ]);
  });

  it('prints folders before their scenarios, and files that could not be read', async () => {
    const { code, out, err } = await run(['in'], {
      'in/x/a.yaml': HOLDS,
      'in/y/c.yaml': OTHER,
      'in/y/d.yaml': 'kind: Scenario\n',
      'in/broken/b.yaml': BREAKS,
    });
    expect(code).toBe(2);
    expect(out).toBe(`${OPENING(2)}
in/x
${line('✓', 'holds', '3.000s', 'A Job called holds')}

in/y
${line('✓', 'other', '3.000s', 'A Job called holds')}

2 scenarios held, 0 did not, 1 file could not be read
  could not be read:
    in/y/d.yaml
6.000s of virtual time · COUNT · invariants exercised 20 times
`);
    expect(err).toMatch(/^files that could not be read were skipped:\nin\/y\/d\.yaml:1:1: /);
  });

  it('prints a sweep: what held, and failures with their seeds', async () => {
    const sweep = `✓ holds${spaces(30)}all 2 seeds held
    COUNT · longest 3.000s · 6 of 61 invariants exercised · digest DIGEST
`;
    const broken = `✗ breaks${spaces(29)}0 of 2 seeds held
    COUNT · longest 2.000s · 5 of 61 invariants exercised · digest DIGEST
    no Job matches; nearest is Job default/pi
      2 seeds 1, 2
      npx orchsim run b.yaml --seed 1 -v
`;
    const seeds = ['--seeds', '1..2', '--jobs', '1'];
    expect(await run(['a.yaml', ...seeds])).toEqual({ code: 0, out: sweep, err: '' });
    expect(await run(['a.yaml', 'b.yaml', ...seeds])).toEqual({
      code: 1,
      out: `${sweep}${broken}
1 scenario held under every seed, 1 did not
  did not hold:
    breaks  b.yaml, 2 of 2 seeds
`,
      err: '',
    });
  });
});

const task = (file: string, name = 'web', steps: readonly unknown[] = [], more: object = {}): Task =>
  ({ file, scenario: { name, steps, ...more } }) as unknown as Task;
const applied = (...objects: readonly object[]) => ({ verb: 'apply', objects: objects.map((object) => ({ object })) });

describe('the frame of several results', () => {
  it('has the folders, where there are some', () => {
    const tasks = [task('a/1.yaml'), task('a/2.yaml'), task('b/3.yaml')];
    expect(tasks.map((_, at) => folderLines(tasks, at, MARKED))).toEqual([['', '<accent>a</accent>'], [], ['', '<accent>b</accent>']]);
    expect(folderLines([task('1.yaml'), task('2.yaml')], 0, PLAIN)).toEqual([]);
    expect(folderLines([task('1.yaml'), task('a/2.yaml')], 0, PLAIN)).toEqual(['', '.']);
    expect(folderLines(tasks, 3, PLAIN)).toEqual([]);
    expect(openingLines([task('1.yaml')], MARKED)).toEqual([
      '1 scenario, each in a cluster of its own, on a virtual clock: <dim>the same seed gives the same run, byte for byte</dim>',
      '',
    ]);
    expect(openingLines(tasks, PLAIN)).toHaveLength(1);
  });

  it('has titles, and what is taught', () => {
    expect(titleLines({ name: 'web' } as never, MARKED)).toEqual(['', '<strong>web</strong>', '']);
    expect(titleLines({ name: 'web', title: 'A web', teaches: 'So it is.' } as never, MARKED)).toEqual([
      '',
      '<strong>web: A web</strong>',
      '<dim>So it is.</dim>',
      '',
    ]);
  });

  it('invites to commands that work', () => {
    const cwd = folderWith({ 'in/broken/b.yaml': '', 'on/broken': '' });
    const commands = (one: Task | undefined, ...paths: readonly string[]): readonly string[] =>
      invitation(one === undefined ? [] : [one], paths, silentIo(cwd))
        .slice(2)
        .map((each) => each.trim().split(/ {3,}/)[0] ?? '');
    const named = (name: unknown, namespace?: string, kind = 'Job') => ({
      kind,
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    });
    const rest = ['npx orchsim run in/a.yaml -v', 'npx orchsim walk in/a.yaml'];
    const seeds = 'npx orchsim run in --seeds 1..20';
    expect(commands(undefined)).toEqual([]);
    expect(commands(task('in/a.yaml'))).toEqual([...rest, seeds]);
    expect(commands(task('in/a.yaml'), 'on', 'in')).toEqual([...rest, 'npx orchsim run in/broken', seeds]);
    const steps = [
      { verb: 'delete' },
      applied({ kind: 'Namespace' }, named('a', 'shop')),
      { ...applied(named('b', 'default')), verb: 'create' },
    ];
    expect(commands(task('in/a.yaml', 'web', steps))[2]).toBe('npx orchsim why Job/b in/a.yaml');
    expect(
      commands(
        task('in/a.yaml', 'web', [applied(named(3)), applied({ metadata: { name: 'x' } }), applied(named('c', undefined, 'Pod'))]),
      )[2],
    ).toBe('npx orchsim why Pod/c in/a.yaml');
    expect(commands(task('my in/a.yaml', 'web', [applied(named('b'))]))).toEqual([
      "npx orchsim run 'my in/a.yaml' -v",
      "npx orchsim walk 'my in/a.yaml'",
      "npx orchsim why Job/b 'my in/a.yaml'",
      "npx orchsim run 'my in' --seeds 1..20",
    ]);
  });
});

it('an error within a run names its scenario, file and seed', () => {
  const act = (thrown: unknown) => () =>
    during({ ...task('a.yaml'), seed: 7 }, () => {
      throw thrown;
    });
  expect(act(new Error('no'))).toThrow('in web (a.yaml, seed 7): no');
  expect(act('text')).toThrow('in web (a.yaml, seed 7): text');
  expect(during(task('a.yaml'), () => 5)).toBe(5);
});

it('a run is timed, and covers what it reaches where this is asked', () => {
  const [loaded] = loadScenarios(['a.yaml'], { cwd: folderWith({ 'a.yaml': HOLDS }) });
  if (loaded === undefined) throw new Error('no scenario');
  const { summary, tookMs } = timed({ ...loaded, seed: 4 });
  expect([tookMs > 0, tookMs < 60_000, 'coverage' in summary, summary.verdict, summary.seed]).toEqual([true, true, false, 'held', 4]);
  const { coverage, ...covered } = timed({ ...loaded, seed: 4, coverage: true }).summary;
  expect(covered).toEqual(summary);
  expect(coverage).toBeDefined();
});

describe('scenarios are chosen', () => {
  const all = [task('in/a.yaml', 'job-1', [], { title: 'A Job' }), task('in/b.yaml', 'job-2'), task('in/c.yaml', 'web/x')];
  const chosen = (options: Parameters<typeof chosenOf>[1]): readonly string[] =>
    chosenOf(all, options).map(({ scenario: { name } }) => name);
  it.each<[Parameters<typeof chosenOf>[1], readonly string[]]>([
    [{}, ['job-1', 'job-2', 'web/x']],
    [{ scenario: 'job-2' }, ['job-2']],
    [{ scenario: 'job-*' }, ['job-1', 'job-2']],
    [{ scenario: '*' }, ['job-1', 'job-2', 'web/x']],
    [{ grep: 'a job' }, ['job-1']],
    [{ grep: 'JOB' }, ['job-1', 'job-2']],
    [{ grep: 'in/[bc]' }, ['job-2', 'web/x']],
    [{ scenario: 'job-*', grep: 'b\\.yaml$' }, ['job-2']],
  ])('by %j', (options, names) => {
    expect(chosen(options)).toEqual(names);
  });

  it('and where there is none, the nearest is named', () => {
    expect(() => chosen({ scenario: 'jobb-1' })).toThrow(/^no scenario is named "jobb-1"; did you mean "job-1"\?$/);
    expect(() => chosen({ grep: 'jbo-2' })).toThrow(
      /^--grep: nothing like "jbo-2" among 3 scenarios; did you mean "job-2"\? \(orchsim list shows them\)$/,
    );
    expect(() => chosen({ grep: '(' })).toThrow(/^--grep: expected a regular expression, found "\(": Invalid regular expression/);
  });
});
