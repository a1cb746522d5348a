/** Plugins on the command line, from files in a folder. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requiring } from '../../../src/surfaces/plugins/host-modules.ts';
import { cli, folderWith } from '../cli/cli.ts';

const TIDIER = `
import { defineController, idle, remove, write } from 'orchsim';
enum Why { Done = 'the Job is done' }
export const tidier = defineController({
  name: 'tidier',
  reconciles: 'Job',
  writes: ['Job'],
  reconcile({ self: job }) {
    if (job.status?.succeeded !== 1) return idle('it is not done yet');
    return write(Why.Done, remove(job, { propagationPolicy: 'Background' }));
  },
});
`;
const MINE = `
import { defineConfig, type Invariant } from 'orchsim';
import { tidier } from './tidier.ts';
const once: Invariant = {
  name: 'mine/tidied-once',
  temporal: 'always',
  description: 'No Job is removed twice.',
  kinds: ['Job'],
  check: () => ({ exercised: 1 }),
};
const sneeze = {
  name: 'sneeze',
  description: 'Nothing but a sneeze.',
  subject: { type: 'string', description: 'Who.' },
  parameters: {},
  apply: (_: unknown, call: { subject: unknown }) => ({ detail: String(call.subject) + ' sneezes' }),
} as const;
export default defineConfig({ controllers: [tidier], invariants: [once], faults: [sneeze] });
`;
const SCENARIO = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: tidied }
spec:
  cluster: { podBehaviors: [{ runFor: 1s }] }
  invariants: ["job/*", mine/tidied-once]
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
    - fault: { sneeze: me }
    - when: settled
      expect: { absent: Job/a }
`;
const folder = (more: Readonly<Record<string, string>> = {}) =>
  folderWith({ 'tidier.ts': TIDIER, 'mine.ts': MINE, 'in/a.yaml': SCENARIO, ...more });
const config = { 'orchsim.config.ts': "export { default } from './mine.ts';" };

describe('--with and orchsim.config.ts', () => {
  it('add a controller, an invariant and a fault to a run', async () => {
    const cwd = folder();
    expect((await cli(['run', 'in/a.yaml'], { cwd })).err).toContain('mine/tidied-once');
    expect(await cli(['run', 'in/a.yaml', '--with', 'mine.ts', '-v'], { cwd })).toMatchObject({
      code: 0,
      out: expect.stringContaining('me sneezes'),
    });
  });

  it('are found above the scenario, and not with --no-config', async () => {
    const cwd = folder(config);
    expect(await cli(['run', 'in/a.yaml'], { cwd })).toMatchObject({ code: 0, err: '' });
    expect(await cli(['run', 'in/a.yaml', '--no-config'], { cwd })).toMatchObject({ code: 2 });
  });

  it('work in why, state, diff and walk, and in forks', async () => {
    const cwd = folder(config);
    expect((await cli(['why', 'Job/a', 'in/a.yaml'], { cwd })).out).toContain('decided by tidier in controller-manager');
    expect((await cli(['diff', 'Job/a', 'in/a.yaml'], { cwd })).out).toMatch(/tidier .* delete Job/);
    expect((await cli(['state', 'Job', 'in/a.yaml'], { cwd })).out).toContain('there is no Job');
    const { out } = await cli(['walk', 'in/a.yaml', '--with', 'mine.ts', '--no-config', '--script', 'fork fault sneeze you; save; quit'], {
      cwd,
    });
    expect(out).toContain('everything held');
    expect(out).toContain('npx orchsim run tidied-fork-1.yaml --with mine.ts --no-config replays it');
    expect(existsSync(join(cwd, 'tidied-fork-1.yaml'))).toBe(true);
  });

  it('reach worker threads and fresh processes', async () => {
    const cwd = folder(config);
    expect(await cli(['run', 'in/a.yaml', '--seeds', '1..4', '--jobs', '2'], { cwd })).toMatchObject({
      code: 0,
      out: expect.stringContaining('all 4 seeds held'),
    });
    expect((await cli(['check-determinism', 'in/a.yaml'], { cwd })).out).toContain('three runs of seed 1 are the same');
  });

  it('are listed', async () => {
    const cwd = folder(config);
    expect((await cli(['faults'], { cwd })).out).toContain('Nothing but a sneeze.');
    expect((await cli(['invariants'], { cwd })).out).toContain('No Job is removed twice.');
    expect((await cli(['controllers'], { cwd })).out).toMatch(/^tidier +controller-manager +Job/m);
    expect((await cli(['schema', 'scenario'], { cwd })).out).toContain('Nothing but a sneeze.');
  });

  it('may be controllers of a kind from another file', async () => {
    const cwd = folder({
      'widget.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget }
  versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { size: { type: integer } } } } } } }]
`,
      'watcher.ts': `import { defineConfig, defineController, idle, update, write } from 'orchsim';
export default defineConfig({ controllers: [defineController({ name: 'widgets', reconciles: 'Widget', writes: ['Widget'], reconcile: ({ self }) =>
  self.metadata.labels ? idle('it is marked') : write('it is there', update(self, (draft) => { draft.metadata.labels = { seen: 'yes' }; })) })] });`,
      'in/w.yaml': SCENARIO.replace(/ +invariants.*\n/, '').replace(
        / +steps:[^]*$/,
        '  steps:\n    - apply: { apiVersion: example.com/v1, kind: Widget, metadata: { name: w }, spec: { size: 1 } }\n',
      ),
    });
    for (const words of [
      ['--with', 'widget.yaml', '--with', 'watcher.ts'],
      ['--with', 'watcher.ts', '--with', 'widget.yaml'],
    ]) {
      const { code, out } = await cli(['run', 'in/w.yaml', '-v', ...words], { cwd });
      expect({ code, seen: out.includes('it is there') }).toEqual({ code: 0, seen: true });
    }
  });

  it('are in the replay command of a failure', async () => {
    const cwd = folder({ 'in/b.yaml': SCENARIO.replace('absent: Job/a', 'absent: Node/node-0') });
    expect((await cli(['run', 'in/b.yaml', '--with', 'mine.ts'], { cwd })).out).toContain(
      'npx orchsim run in/b.yaml --seed 1 --with mine.ts -v',
    );
  });
});

describe('what is wrong with them', () => {
  const wrong = async (mine: string): Promise<readonly string[]> => {
    const { code, err } = await cli(['run', 'in/a.yaml', '--with', 'mine.ts'], { cwd: folder({ 'mine.ts': mine }) });
    expect(code).toBe(2);
    return err.trimEnd().split('\n');
  };

  it('is reported with file, line and column: syntax, imports, thrown errors', async () => {
    expect(await wrong('\nexport default {{;')).toEqual([expect.stringMatching(/^mine\.ts:2:\d+: Expected/)]);
    expect(await wrong("import './nobody.ts';")).toEqual([expect.stringMatching(/^mine\.ts:1:8: Could not resolve/)]);
    expect(await wrong('\nconst x: number = 1;\nthrow new Error(`no ${x}`);')).toEqual(['mine.ts:3:7: no 1']);
    expect(await wrong("import { search } from 'orchsim/testing'; export default search;")).toEqual([
      expect.stringContaining('is for tests'),
      'ORCH_IMPORT: npx orchsim help errors-definitions',
    ]);
    expect((await wrong("import { defineOwnKind } from 'orchsim'; export default defineOwnKind({});"))[0]).toContain(
      'it is now defineKind',
    );
    expect((await wrong("import { obj } from 'orchsim'; export default obj;"))[0]).toContain('it is now schema.obj');
    expect((await wrong("import { cursorAt } from 'orchsim'; export default cursorAt;"))[0]).toContain(
      "import it from 'orchsim/internals'",
    );
    expect(await wrong('export const a = 1;')).toEqual([expect.stringContaining('found no default export')]);
  });

  it('is reported all at once', async () => {
    expect(
      await wrong(`export default {
        without: ['jb'],
        controllers: [{ name: 'job', reconciles: 'Jbo', writes: ['Pd'], reconcile: 1 }, { name: 'a', writes: [], reconcile() {} }, { name: 'a', writes: [], reconcile() {} }],
        invariants: [{ name: 'general/x', temporal: 'never', description: '', kinds: ['Pid'] }],
        faults: [{ name: 'crash', description: 'x', subject: {}, parameters: { a: 1 } }],
      };`),
    ).toEqual([
      'mine.ts: without[0]: no built-in controller is named "jb"; did you mean "job"?',
      'mine.ts: controllers[0] (job): the name is taken by a built-in one: choose another name, or name it in `without` to put yours in its place',
      'mine.ts: controllers[0] (job): reconciles: there is no kind "Jbo"; did you mean "Job"?',
      'mine.ts: controllers[0] (job): writes: there is no kind "Pd"; did you mean "Pod"?',
      'mine.ts: controllers[0] (job): reconcile: expected a function that returns { why, writes }, found 1',
      'mine.ts: controllers[2] (a): the name is taken by controllers[1]: choose another name, or name it in `without` to put yours in its place',
      'mine.ts: invariants[0] (general/x): temporal: expected always, eventually, stable or sometimes, found "never"',
      'mine.ts: invariants[0] (general/x): description: expected one sentence for people, found ""',
      'mine.ts: invariants[0] (general/x): kinds: there is no kind "Pid"; did you mean "Pod"?',
      'mine.ts: invariants[0] (general/x): check: expected a function that returns a checker, found nothing',
      'mine.ts: faults[0] (crash): the name is taken by a built-in one: choose another name',
      "mine.ts: faults[0] (crash): subject: expected a field, such as { type: 'string', description: 'A process.' }, found an object",
      "mine.ts: faults[0] (crash): parameters.a: expected a field, such as { type: 'duration', description: 'For how long.' }, found 1",
      'mine.ts: faults[0] (crash): apply: expected a function that returns { detail } or { error }, found nothing',
    ]);
    expect(await wrong('export default { controler: [], kinds: 1 };')).toEqual([
      'mine.ts: controler: expected one of controllers, faults, invariants, kinds, without; did you mean "controllers"?',
      'mine.ts: kinds: expected a list, found 1',
    ]);
  });

  it('is a missing file', async () => {
    const { code, err } = await cli(['run', 'in/a.yaml', '--with', 'yours.ts'], { cwd: folder() });
    expect({ code, err }).toEqual({ code: 2, err: '--with yours.ts: no such file\n' });
  });
});

describe('modules of Node', () => {
  it('have guards on what reads the host, and on nothing else', () => {
    const require = createRequire(import.meta.url);
    const crypto = require('node:crypto') as Readonly<Record<string, unknown>>;
    const guarded = requiring(require)('node:crypto') as typeof crypto;
    const reads = 'generateKeyPairSync getRandomValues randomBytes randomFill randomFillSync randomInt randomUUID';
    expect(
      Object.keys(guarded)
        .filter((name) => guarded[name] !== crypto[name])
        .sort()
        .join(' '),
    ).toBe(reads);
  });
});

describe('invariants and faults that use the host', () => {
  it('fail the run with their place', async () => {
    const cwd = folder({
      'mine.ts': MINE.replace('check: () => ({ exercised: 1 })', 'check: () => ({ exercised: 1, onChange: () => void Math.random() })'),
      'faulty.ts': MINE.replace('String(call.subject)', 'String(new Date())'),
    });
    const judged = await cli(['run', 'in/a.yaml', '--with', 'mine.ts'], { cwd });
    expect(judged).toMatchObject({ code: 1 });
    expect(judged.out).toMatch(/threw HostUse: Math\.random\(\): .*\n.*mine\.ts:9:\d+/);
    const faulty = await cli(['run', 'in/a.yaml', '--with', 'faulty.ts'], { cwd });
    expect(faulty.out).toMatch(/threw HostUse: new Date\(\): .*\n.*faulty\.ts:16:\d+/);
  });
});

describe('an endless loop in a user-defined controller', () => {
  const reported = async (body: string, scenario = SCENARIO) => {
    const mine = `import { defineConfig, defineController, idle } from 'orchsim';
export default defineConfig({ controllers: [defineController({
  name: 'tireless', reconciles: 'Job', writes: [],
  reconcile({ self: job, now }) {
    ${body}
  },
})] });`;
    const cwd = folder({ 'mine.ts': mine, 'in/a.yaml': scenario.replace(/^ +(invariants|- fault).*\n/gm, '') });
    return await cli(['run', 'in/a.yaml', '--with', 'mine.ts'], { cwd });
  };

  it.each([
    ['while', 'while (job) ;', '5:17'],
    ['do', 'do { now; } while (true); return idle("a");', '5:8'],
    ['for', 'for (;;) { if (now < 0) break; } return idle("a");', '5:14'],
    ['for … of', 'const all = [1]; for (const each of all) all.push(each); return idle("a");', '5:46'],
    ['labels', 'outer: while (true) { for (const x of [1, 2]) if (x > 1) continue outer; } return idle("a");', '5:25'],
    ['a loop in a loop', 'let n = 0; while (true) for (let i = 0; i < 10; i++) n += i;', '5:29'],
  ])('is a finding with file, line and column: %s', async (_name, body, place) => {
    const { code, out } = await reported(body);
    expect(code).toBe(1);
    expect(out).toContain(
      'controller tireless failed: it threw in reconcile: EndlessLoop: a loop was still running after a million iterations',
    );
    expect(out).toContain('about Job default/a');
    expect(out).toContain(`step #5, mine.ts:${place}`);
  });

  it('is not a long loop that ends, nor many of them', async () => {
    const { out } = await reported(
      'let n = 0; for (let i = 0; i < 999_999; i++) n += i; for (let i = 0; i < 999_999; i++) n += i; return idle(`${n}`);',
    );
    expect(out).not.toContain('tireless failed');
  });

  it('is reported with its place while a module is loaded', async () => {
    const cwd = folder({ 'mine.ts': '\nfor (;;);' });
    expect((await cli(['run', 'in/a.yaml', '--with', 'mine.ts'], { cwd })).err).toMatch(/^mine\.ts:2:\d+: a loop was still running/);
  });

  it.each([
    ['a clock', 'return idle(String(Date.now()));', '5:29', 'Date.now()'],
    [
      'chance of a module',
      "const { randomUUID } = require('node:crypto'); return idle(randomUUID());",
      '5:64',
      'randomUUID() of node:crypto',
    ],
    ['a file', "return idle(String(require('fs').existsSync('a')));", '5:38', 'existsSync() of node:fs'],
    ['an asynchronous function', 'const later = async () => 1; void later(); return idle("a");', '5:31', 'an asynchronous function'],
    [
      'one that is awaited',
      'const later = async () => { await null; }; void later(); return idle("a");',
      '5:31',
      'an asynchronous function',
    ],
    ['a module that comes later', "void import('node:fs'); return idle('a');", '5:10', 'Promise.resolve()'],
    ['a time of the place', 'return idle(String(new Date(now).getHours()));', '5:38', 'getHours() of a Date'],
  ])('is none, but a use of the host is a finding with its place: %s', async (_name, body, place, what) => {
    const { code, out } = await reported(body);
    expect(code).toBe(1);
    expect(out).toContain(`controller tireless failed: it used ${what} in reconcile`);
    expect(out).toContain(`step #5, mine.ts:${place}`);
  });

  it('is reported with its file if a key is requeued forever', async () => {
    const { code, out } = await reported('return { why: "again", writes: [], wakeAt: now + 5 };');
    expect(code).toBe(3);
    expect(out).toMatch(/it never settles: tireless in controller-manager has woken \d+ times for default\/a, on average every 5ms/);
    expect(out).toMatch(/step #\d+, mine\.ts:2:/);
  });
});
