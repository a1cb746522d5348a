import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BREAKS, cli, folderWith, HOLDS } from './cli.ts';

const withFiles = (): string => folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS });

describe('run', () => {
  it('prints a line for each scenario, and the totals', async () => {
    const { code, out } = await cli(['run', '.'], { cwd: withFiles() });
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ breaks +\d\.\d{3}s {2}A Job called breaks$/m);
    expect(out).toMatch(/^✓ holds +\d\.\d{3}s {2}A Job called holds$/m);
    expect(out).toMatch(
      /^1 scenario held, 1 did not\n {2}did not hold:\n {4}breaks {2}breaks\.yaml, seed 1\n\d+\.\d{3}s of virtual time · \d+ writes · invariants exercised \d+ times$/m,
    );
  });

  it('says how to see a scenario of standard input again, and does not wait for it to change', async () => {
    const { code, out } = await cli(['run', '-'], { stdin: () => BREAKS });
    expect(code).toBe(1);
    expect(out).toContain('see it again: npx orchsim run - --seed 1 -v\n');
    expect(out).toMatch(/or ask why: +npx orchsim why Job\/pi - --seed 1 --at '#\d+'\n/);
    expect(await cli(['run', '-', '--watch'], { stdin: () => HOLDS })).toMatchObject({
      code: 2,
      err: '--watch: standard input is read once: name a file\n',
    });
  });

  it('reads a scenario from standard input, with places of problems', async () => {
    const cwd = folderWith({});
    const held = await cli(['run', '-'], { cwd, stdin: () => HOLDS });
    expect(held).toMatchObject({ code: 0, err: '' });
    expect(held.out).toMatch(/^✓ holds /m);
    expect(await cli(['run', '-', '-'], { cwd, stdin: () => 'steps: [' })).toMatchObject({
      code: 2,
      err: expect.stringContaining('<stdin>:1:') as string,
    });
    expect(await cli(['walk', '-'], { cwd, stdin: () => HOLDS })).toMatchObject({
      code: 2,
      err: expect.stringContaining('walk reads its commands from standard input') as string,
    });
    expect(await cli(['why', 'Job', '-'], { cwd, stdin: () => HOLDS })).toMatchObject({
      code: 0,
      out: expect.stringContaining('Job pi at') as string,
    });
  });

  it('suggests the next commands when everything held: details, causes, a broken scenario, many seeds', async () => {
    const cwd = folderWith({
      'a/one.yaml': HOLDS,
      'b/two.yaml': HOLDS.replace('name: holds', 'name: holds-too'),
      'broken/breaks.yaml': BREAKS,
    });
    const { code, out } = await cli(['run', '.'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^2 scenarios, each in a cluster of its own, on a virtual clock: .+\n\na\n✓ holds .+\n\nb\n✓ holds-too .+\n\n2 scenarios held, 0 did not\n/,
    );
    expect(out).toMatch(
      /npx orchsim run a\/one\.yaml -v .+\n.*npx orchsim walk a\/one\.yaml .+\n.*npx orchsim why Job\/pi a\/one\.yaml .+\n.*npx orchsim run broken .+\n.*npx orchsim run a --seeds 1\.\.20 /,
    );
    expect((await cli(['run', 'a', 'b', '--jobs', '2'], { cwd })).out).toBe(
      out
        .split('\n')
        .filter((line) => !line.includes('run broken'))
        .join('\n'),
    );
  });

  it('prints the facts of a single one', async () => {
    const { out } = await cli(['run', 'holds.yaml'], { cwd: withFiles() });
    expect(out).toMatch(/^ +\d+ writes · \d+ decisions · \d+ invariants held, exercised \d+ times · seed 1 · digest [0-9a-f]{16}$/m);
  });

  it.each([[[]], [['--seeds', '1..2']], [['--format', 'junit']], [['--json']]])(
    'refuses unknown fields of a manifest: %s',
    async (flags) => {
      const cwd = folderWith({ 'typo.yaml': HOLDS.replace('completions: 3', 'completions: 3, completins: 3') });
      const { code, out, err } = await cli(['run', 'typo.yaml', ...flags], { cwd });
      expect(code).toBe(2);
      const report = flags.includes('junit')
        ? /<testsuites name="orchsim" tests="1" failures="0" errors="1">/
        : /^\{\n[^]*"exitCode": 2,[^]*typo\.yaml:/;
      expect(out).toMatch(flags.includes('junit') || flags.includes('--json') ? report : /^$/);
      expect(err).toMatch(
        /^typo\.yaml:\d+:\d+: spec\.steps\[0\]\.apply\.spec\.completins: expected a field of Job .* did you mean "completions"\?\n$/,
      );
    },
  );

  it('names the fields that the server drops, if a scenario permits it', async () => {
    const cwd = folderWith({
      'typo.yaml': HOLDS.replace('completions: 3', 'completions: 3, completins: 3').replace('spec:', 'spec:\n  allowUnknownFields: true'),
    });
    const { code, out } = await cli(['run', 'typo.yaml'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^ {2}note typo\.yaml:\d+:\d+: Job has no field spec\.completins: the server drops it; did you mean "completions"\?$/m,
    );
  });

  it('explains a failure: what was expected and found, when, the causes, and the replay command', async () => {
    const { code, out } = await cli(['run', 'breaks.yaml'], { cwd: withFiles() });
    expect(code).toBe(1);
    expect(out).toContain('expectation failed: no Job matches; nearest is Job default/pi');
    expect(out).toMatch(/status\.succeeded {2}expected 2 {2}found 1/);
    expect(out).toMatch(/at \d+\.\d{3}s, step #\d+, breaks\.yaml:10:\d+/);
    expect(out).toMatch(/causes, the latest first:\n +\d\.\d{3}s +#\d+ +job +pi +update Job: status\.succeeded/);
    expect(out).toMatch(/scenario +apply Job\/pi\n/);
    expect(out).toContain('see it again: npx orchsim run breaks.yaml --seed 1 -v');
  });

  it('shows a timeline of golden lines with -v, and everything with -vv', async () => {
    const cwd = withFiles();
    const one = (await cli(['run', 'holds.yaml', '-v'], { cwd })).out;
    expect(one).toMatch(
      /^ {3}0\.000s {2}#\d+ +job +pi +create Pod pi-[a-z0-9]{5} {2}rv \d+ {3}0 active, 0 succeeded, 0 failed: 2 more pods to create$/m,
    );
    expect(one).toMatch(/│ It is done\.\n {2}│ All three\./);
    expect(one).not.toContain('sees added');
    const two = (await cli(['run', 'holds.yaml', '-vv'], { cwd })).out;
    expect(two).toContain('sees added Pod');
    expect(two.split('\n').length).toBeGreaterThan(one.split('\n').length);
  });

  it.each([
    ['run', ['run', 'long.yaml']],
    ['run with its results in a file', ['run', 'long.yaml', '-v']],
    ['why', ['why', 'Job/pi', 'long.yaml']],
    ['state', ['state', 'long.yaml']],
    ['check-determinism', ['check-determinism', 'long.yaml']],
  ])('shows on the terminal of its problems how far it has come: %s', async (_, args) => {
    const long = HOLDS.replace('metadata: { name: holds }', 'metadata: { name: long }').replace('runFor: 1s', 'runFor: 1h');
    const { err, out } = await cli(args, { cwd: folderWith({ 'long.yaml': long }), errorColumns: 60 });
    expect(err).toMatch(/\r\u001B\[Klong {2}\S+s {2}[\d,]+ entries/);
    expect(err.endsWith('\r\u001B[K')).toBe(true);
    expect(out).not.toContain('\u001B');
  });

  it('is the same to the byte for one seed, and another run for another', async () => {
    const cwd = withFiles();
    const [first, again, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => cli(['run', 'holds.yaml', '-v', '--seed', seed], { cwd })),
    );
    expect(again?.out).toBe(first?.out);
    expect(other?.out).not.toBe(first?.out);
  });

  it('writes JSON with the causes and the replay command', async () => {
    const { code, out } = await cli(['run', '.', '--json'], { cwd: withFiles() });
    const document = JSON.parse(out) as {
      exitCode: number;
      held: number;
      broken: number;
      runs: { scenario: string; failures: { replay: string; causes: { line: string }[] }[] }[];
    };
    expect(code).toBe(1);
    expect(document).toMatchObject({ exitCode: 1, held: 1, broken: 1 });
    expect(document.runs[0]?.failures[0]?.replay).toBe('npx orchsim run breaks.yaml --seed 1 -v');
    expect(document.runs[0]?.failures[0]?.causes[0]?.line).toContain('update Job');
  });

  it('writes JUnit', async () => {
    const { out } = await cli(['run', '.', '--format', 'junit'], { cwd: withFiles() });
    expect(out).toContain('<testsuites name="orchsim" tests="2" failures="1" errors="0">');
    expect(out).toMatch(/<failure type="expectation" message="no Job matches; nearest is Job default\/pi">/);
    expect(out).toMatch(
      /<testcase name="holds" classname="holds\.yaml" time="\d\.\d{3}">\n +<properties>\n +<property name="virtual-time" value="3\.000"\/>\n/,
    );
  });

  it.each([[[]], [['--seeds', '1..2']], [['--jobs', '2']]])('counts files that could not be read, in every format: %j', async (flags) => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'bad.yaml': 'kind: Scenario\nspec: [\n', 'worse.yaml': `${HOLDS}  nonsense: 1 < 2\n` });
    const xml = await cli(['run', '.', '--format', 'junit', ...flags], { cwd });
    expect(xml.code).toBe(2);
    expect(xml.out).toMatch(/<testsuites name="orchsim" tests="[34]" failures="0" errors="2">/);
    expect(xml.out).toMatch(/<testsuite name="bad\.yaml" tests="1" failures="0" errors="1" time="0\.000">/);
    expect(xml.out).toMatch(/<error type="unreadable" message="bad\.yaml:\d+:\d+: [^"]+">bad\.yaml/);
    expect(xml.out).toContain('&quot;nonsense&quot;');
    const { unreadable, exitCode } = JSON.parse((await cli(['run', '.', '--json', ...flags], { cwd })).out) as {
      unreadable: { file: string }[];
      exitCode: number;
    };
    expect(exitCode).toBe(2);
    expect(unreadable.map(({ file }) => file)).toEqual(['bad.yaml', 'worse.yaml']);
  });

  it.each([[['bad.yaml']], [['missing.yaml']], [['holds.yaml', 'bad.yaml', 'missing.yaml']], [['bad.yaml', '--seeds', '1..2']]])(
    'writes JUnit of named files that cannot be read: %j',
    async (args) => {
      const cwd = folderWith({ 'holds.yaml': HOLDS, 'bad.yaml': 'kind: Scenario\nspec: [\n' });
      const { code, out, err } = await cli(['run', '--format', 'junit', ...args], { cwd });
      expect(code).toBe(2);
      for (const file of args.filter((each) => /^(?:bad|missing)/.test(each))) {
        expect(out).toMatch(
          new RegExp(
            `<testsuite name="${file}" tests="1" failures="0" errors="1" time="0.000">\\n.*\\n +<error type="unreadable" message="${file}:`,
          ),
        );
        expect(err).toContain(`${file}:`);
      }
      // Nothing has run.
      expect(out.includes('<skipped message="not run: a file that was named could not be read"/>')).toBe(args.includes('holds.yaml'));
      expect(out).not.toContain('virtual-time');
    },
  );

  it('wraps the lines of a timeline on a terminal, and nowhere else', async () => {
    const cwd = withFiles();
    const narrow = await cli(['run', '-v', 'holds.yaml'], { cwd, terminal: true, columns: 80 });
    const wide = await cli(['run', '-v', 'holds.yaml'], { cwd, columns: 80 });
    const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));
    expect(longest(narrow.out)).toBeLessThanOrEqual(80);
    expect(longest(wide.out)).toBeGreaterThan(120);
  });

  it('counts files that could not be read in its summary', async () => {
    const { out } = await cli(['run', '.'], { cwd: folderWith({ 'holds.yaml': HOLDS, 'bad.yaml': 'kind: Scenario\n' }) });
    expect(out).toContain('1 scenario held, 0 did not, 1 file could not be read\n');
  });

  it('names at the end of a sweep what failed under some seed, and what could not be read', async () => {
    const cwd = folderWith({ 'breaks.yaml': BREAKS, 'holds.yaml': HOLDS, 'bad.yaml': 'kind: Scenario\n' });
    const { code, out } = await cli(['run', '.', '--seeds', '1..2'], { cwd });
    expect(code).toBe(2);
    expect(out).toMatch(
      /\n\n1 scenario held under every seed, 1 did not, 1 file could not be read\n {2}did not hold:\n {4}breaks {2}breaks\.yaml, 2 of 2 seeds\n {2}could not be read:\n {4}bad\.yaml\n$/,
    );
  });

  it('skips what it has written itself', async () => {
    const cwd = folderWith({ 'holds.yaml': HOLDS, 'breaks.yaml': BREAKS });
    const written: Readonly<Record<string, readonly string[]>> = {
      'run.json': ['run', '.', '--json'],
      'seeds.json': ['run', '.', '--seeds', '1..2', '--json'],
      'schema.json': ['schema', 'scenario'],
      'list.json': ['list', '.', '--json'],
      'trace.json': ['run', 'holds.yaml', '--trace', '-', '--json'],
      'events.json': ['run', 'holds.yaml', '--events', '-', '--json'],
      'perfetto.json': ['run', 'holds.yaml', '--perfetto', '-', '--json'],
      'state.yaml': ['state', 'Job/pi', 'holds.yaml'],
    };
    for (const [name, args] of Object.entries(written)) writeFileSync(join(cwd, name), (await cli(args, { cwd })).out);
    writeFileSync(join(cwd, 'map.yaml'), `kind: ConfigMap\ndata:\n  a.yaml: |\n${HOLDS.replaceAll(/^/gm, '    ')}\n`);
    writeFileSync(join(cwd, 'workflow.yaml'), 'name: scenarios\ntitle: Scenario\non: push\n');
    for (const command of ['run', 'list']) {
      const { err } = await cli([command, '.'], { cwd });
      expect(err).toMatch(/^note: 10 files without a scenario were skipped: .* and 5 more\n$/);
    }
  });

  it('runs the scenarios of a folder, and names the skipped files', async () => {
    const cwd = folderWith({
      'holds.yaml': HOLDS,
      'package.json': '{}',
      'tsconfig.json': '{ // mine\n}',
      'app/deployment.yaml': 'kind: Deployment\n',
    });
    for (const command of ['run', 'list'])
      expect(await cli([command, '.'], { cwd })).toMatchObject({
        code: 0,
        err: 'note: 3 files without a scenario were skipped: app/deployment.yaml, package.json, tsconfig.json\n',
      });
  });

  it('writes every object change for the comparison with recordings', async () => {
    const cwd = withFiles();
    await cli(['run', 'holds.yaml', '--events', 'events.jsonl'], { cwd });
    const lines = readFileSync(join(cwd, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { t: number; type: string; object: { kind: string; metadata: { name: string } } });
    expect(lines.filter(({ type, object }) => type === 'ADDED' && object.kind === 'Pod')).toHaveLength(3);
    expect(lines.every(({ t, type }) => t >= 0 && ['ADDED', 'MODIFIED', 'DELETED'].includes(type))).toBe(true);
    expect(lines.find(({ object }) => object.kind === 'Job')).toMatchObject({ t: 0, type: 'ADDED', object: { metadata: { name: 'pi' } } });
  });

  it('logs in virtual time', async () => {
    const { out } = await cli(['run', 'holds.yaml', '--log', '-', '--json'], { cwd: withFiles() });
    const [first = ''] = out.split('\n');
    expect(JSON.parse(first)).toMatchObject({
      level: 'info',
      time: '2024-03-01T00:00:00.000Z',
      scenario: 'holds',
      seed: 1,
      msg: 'apply Job/pi',
    });
    expect(first).not.toMatch(/pid|hostname/);
  });

  it('returns 3 for a run that does not end, and names the most active controllers', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS.replace('spec:\n', 'spec:\n  limits: { steps: 40 }\n') });
    const { code, out } = await cli(['run', 'a.yaml'], { cwd });
    expect(code).toBe(3);
    expect(out).toContain('the run took more than 40 steps');
    expect(out).toMatch(/most active near the end:\n +\S+ +\S+ +\d+ decisions? +last reason: \S/);
  });

  it('reports problems of manifests before anything runs', async () => {
    const cwd = folderWith({ 'a.yaml': HOLDS.replace('completions: 3', 'completions: -3') });
    for (const command of ['run', 'list', 'check-determinism']) {
      const { code, out, err } = await cli([command, 'a.yaml'], { cwd });
      expect(code).toBe(2);
      expect(`${out}${err}`).toMatch(
        /^a\.yaml:\d+:\d+: .*spec\.completions: expected .*\(must be greater than or equal to 0\), found -3$/m,
      );
      expect(out).not.toContain('a step failed');
    }
  });

  it("shows the API's own 422 for problems that only the server finds, a line for each field", async () => {
    const patch = '    - patch: { target: Job/pi, patch: { spec: { completions: 5 } } }\n';
    const cwd = folderWith({ 'a.yaml': HOLDS.replace(/^ {2}steps:\n(?: {4}- .*\n(?: {6}.*\n)*)/m, (steps) => `${steps}${patch}`) });
    const { code, out } = await cli(['run', 'a.yaml'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('a step failed: the server refused it: 422 Invalid: Job.batch "pi" is invalid');
    expect(out).toMatch(/^ +spec\.completions: Invalid value: 5: field is immutable$/m);
  });
});
