/** The package for users, made by `npm pack` in a copy of the tree: only the files for users; the command and the library work from it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARED_WITH_TESTS } from './additions/tree.ts';
import { cli, folderWith } from './surfaces/cli/cli.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'orchsim-package-'));
const tree = join(folder, 'tree');
const user = join(folder, 'user');
/** A project with the dependencies of the package, and none of its peers. */
const bare = join(folder, 'bare');
const installed = join(user, 'node_modules/orchsim');
let files: readonly string[] = [];

const run = (file: string, args: readonly string[], cwd: string): string =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 });

beforeAll(() => {
  mkdirSync(tree, { recursive: true });
  for (const name of [
    'src',
    'bin',
    'bench',
    ...SHARED_WITH_TESTS,
    'scenarios',
    'test/conformance',
    'test/oracle/pack.mjs',
    'README.md',
    'package.json',
    'tsconfig.json',
  ])
    if (existsSync(join(root, name))) {
      mkdirSync(dirname(join(tree, name)), { recursive: true });
      cpSync(join(root, name), join(tree, name), { recursive: true });
    }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  // The existing build is copied too, and used only if a build of the copy would be the same.
  if (existsSync(join(root, 'dist')))
    cpSync(join(root, 'dist'), join(tree, 'dist'), { recursive: true, filter: (path) => !path.startsWith(join(root, 'dist/types')) });
  run(process.execPath, ['src/build/main.mjs', '--types', '--unless-fresh', '--quiet'], tree);
  const [packed] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], tree)) as [
    { readonly filename: string; readonly files: readonly { readonly path: string }[] },
  ];
  files = packed.files.map(({ path }) => path);
  mkdirSync(installed, { recursive: true });
  run('tar', ['xzf', join(folder, packed.filename), '--strip-components=1', '-C', installed], folder);
  // Only the declared dependencies of the package.
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  mkdirSync(join(bare, 'node_modules'), { recursive: true });
  cpSync(installed, join(bare, 'node_modules/orchsim'), { recursive: true });
  for (const [project, names] of [
    [user, { ...dependencies, ...peerDependencies }],
    [bare, dependencies],
  ] as const) {
    for (const name of Object.keys(names)) {
      mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
    }
    writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  }
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }), 120_000);

const HASH = /-[A-Z0-9]{8}\.js$/;

describe('the package', () => {
  it('contains the command, the library, its types, the scenarios, and nothing else', () => {
    const others = files
      .filter((path) => !/^(?:scenarios|dist\/types)\//.test(path))
      .map((path) => path.replace(/-[A-Z0-9]{8}\.(js|cjs|code)$/, '-HASH.$1'));
    expect([...new Set(others)].sort()).toEqual([
      'README.md',
      'bin/kept.js',
      'bin/orchsim.js',
      'bin/package.json',
      'dist/CHANGELOG.md',
      'dist/NOTICE.txt',
      'dist/about.cjs',
      'dist/branches.json',
      'dist/browser.js',
      'dist/fast-check.js',
      'dist/index.js',
      'dist/kept-HASH.cjs',
      'dist/kept-HASH.code',
      'dist/library-HASH.js',
      'dist/moments.cjs',
      'dist/orchsim.js',
      'dist/page.html',
      'dist/program-HASH.js',
      'dist/recording.html',
      'dist/scenarios.txt',
      'dist/search-worker.js',
      'dist/testing.js',
      'dist/vitest.js',
      'dist/worker.js',
      'package.json',
    ]);
    expect(files.filter((path) => path.startsWith('dist/types/') && !path.endsWith('.d.ts'))).toEqual([]);
    expect(files.filter((path) => /conformance|^dist\/(?:types\/)?bench|\/cli\/|\/http\//.test(path))).toEqual([]);
    const scenarios = readdirSync(join(root, 'scenarios'), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
    expect(files.filter((path) => path.startsWith('scenarios/')).sort()).toEqual(scenarios.map((path) => `scenarios/${path}`).sort());
  });

  it('has every chunk that its files load, and no other', () => {
    const loaded = (path: string): readonly string[] =>
      [...readFileSync(join(installed, path), 'utf8').matchAll(/["']\.\/((?:program|library)-[A-Z0-9]{8}\.js)["']/g)].map(
        ([, name = '']) => `dist/${name}`,
      );
    const reached = new Set([
      'dist/orchsim.js',
      'dist/worker.js',
      'dist/index.js',
      'dist/testing.js',
      'dist/fast-check.js',
      'dist/vitest.js',
    ]);
    for (const path of reached) for (const next of loaded(path)) reached.add(next);
    expect(files.filter((path) => HASH.test(path)).sort()).toEqual([...reached].filter((path) => HASH.test(path)).sort());
  });

  it('runs a scenario', () => {
    const out = run(
      process.execPath,
      [join(installed, 'bin/orchsim.js'), 'run', join(installed, 'scenarios/job/01-runs-to-completion.yaml')],
      user,
    );
    expect(out).toMatch(/^✓ job-runs-to-completion/);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    expect(run(process.execPath, [join(installed, 'bin/orchsim.js'), '--version'], user)).toBe(`${version}\n`);
  });

  it('walks through a scenario by a script, and runs the fork that it saves', () => {
    const command = join(installed, 'bin/orchsim.js');
    const script = 'next; why; goto 2s; state Job; fork fault crash controller-manager restartAfter=5s; save mine.yaml; quit';
    const out = run(
      process.execPath,
      [command, 'walk', 'node_modules/orchsim/scenarios/job/01-runs-to-completion.yaml', '--script', script],
      user,
    );
    expect(out).toMatch(
      /^A Job of five completions, two at a time\n.*\n {2}4 stops, \d+ steps, seed 1; next continues, help lists the commands\n/,
    );
    for (const line of [
      /^0\.000s #0> next$/m,
      /^0\.000s {2}#2 · stop 1 of 4\n {2}apply Job\/pi\n {2}\+ Job pi$/m,
      /^ {3}0\.000s {2}#1 +scenario +apply Job\/pi$/m,
      /^jobs\nNAME +COMPLETIONS +DURATION +AGE\npi +0\/5 +2s +2s$/m,
      /^what if, at 2\.000s: fault crash controller-manager restartAfter=5s$/m,
      /^fork .*> save mine\.yaml\n {2}written to mine\.yaml; npx orchsim run mine\.yaml replays it$/m,
    ])
      expect(out).toMatch(line);
    expect(run(process.execPath, [command, 'run', 'mine.yaml'], user)).toMatch(/^✓ job-runs-to-completion-fork-1 /);
  });

  it('exports its library, its browser module and its tools for tests', () => {
    writeFileSync(
      join(user, 'use.mjs'),
      `import { createCluster, readScenarios, simulate } from 'orchsim';
import * as browser from 'orchsim/browser';
import { jobScenarios } from 'orchsim/fast-check';
import { assertHeld } from 'orchsim/testing';
import { readFileSync } from 'node:fs';
const text = readFileSync('node_modules/orchsim/scenarios/job/01-runs-to-completion.yaml', 'utf8');
const run = simulate(readScenarios(text).scenarios[0]);
assertHeld(run);
const there = browser.simulate(browser.readScenarios(text).scenarios[0]);
console.log(run.verdict, run.digest === there.digest, createCluster().names.domain, typeof jobScenarios);
`,
    );
    expect(run(process.execPath, ['use.mjs'], user)).toBe('held true orch.io function\n');
  });

  it('runs and exports its library without its peers; an entry point that needs one names it', () => {
    expect(existsSync(join(bare, 'node_modules/fast-check'))).toBe(false);
    const command = [
      join(bare, 'node_modules/orchsim/bin/orchsim.js'),
      'run',
      'node_modules/orchsim/scenarios/job/01-runs-to-completion.yaml',
    ];
    expect(run(process.execPath, command, bare)).toMatch(/^✓ job-runs-to-completion/);
    writeFileSync(
      join(bare, 'use.mjs'),
      `import { simulate } from 'orchsim';
import { assertHeld } from 'orchsim/testing';
import { digestsOf } from 'orchsim/browser';
console.log(typeof simulate, typeof assertHeld, typeof digestsOf);
for (const [name, peer] of [['orchsim/fast-check', 'fast-check'], ['orchsim/vitest', 'vitest']])
  await import(name).catch(({ code, message }) => console.log(code, message.includes(\`'\${peer}'\`)));
`,
    );
    expect(run(process.execPath, ['use.mjs'], bare)).toBe(
      'function function function\nERR_MODULE_NOT_FOUND true\nERR_MODULE_NOT_FOUND true\n',
    );
    typesStand(bare, "export { simulate } from 'orchsim';\nexport { assertHeld } from 'orchsim/testing';\n");
  });

  it('has matchers for vitest that need nothing else', () => {
    const reached = new Set(['dist/vitest.js']);
    for (const path of reached)
      for (const [, name = ''] of readFileSync(join(installed, path), 'utf8').matchAll(/(?:from|import) "\.\/([^"]+)"/g))
        reached.add(`dist/${name}`);
    const outside = [...reached].flatMap((path) =>
      [...readFileSync(join(installed, path), 'utf8').matchAll(/^(?:\} from|import(?: .* from)?) "([^"./][^"]*)";$/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(outside).toContain('vitest');
    expect(outside).not.toContain('fast-check');
  });

  const typesStand = (project: string, text: string): void => {
    writeFileSync(join(project, 'use.ts'), text);
    const options = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: [] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['use.ts'] }));
    expect(run(process.execPath, [join(root, 'node_modules/typescript/lib/tsc.js'), '--singleThreaded', '-p', '.'], project)).toBe('');
  };

  it('lists the licences of bundled packages', () => {
    const notice = readFileSync(join(installed, 'dist/NOTICE.txt'), 'utf8');
    expect(notice).toMatch(/^orchsim itself has no licence yet/);
    const browser = readFileSync(join(installed, 'dist/browser.js'), 'utf8');
    for (const name of ['@marcbachmann/cel-js', '@noble/hashes', 'immer', 'rxjs', 'seedrandom', 'yaml']) {
      const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')) as {
        readonly version: string;
      };
      for (const text of [notice, browser]) expect(text).toContain(`\n- ${name} ${version} (`);
    }
    for (const text of [notice, browser]) expect(text).toMatch(/Permission is hereby granted[\s\S]*Apache License/);
    expect(notice).not.toMatch(/^- (?:esbuild|vitest|ajv|typescript) /m);
  });
});

/** The package among the project's other packages, from this checkout; fast-check in one of its versions. */
function installInto(project: string, fastCheck: string): void {
  const modules = join(project, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.') && !/^(?:orchsim|fast-check(?:-3)?)$/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
  symlinkSync(join(root, 'node_modules', fastCheck), join(modules, 'fast-check'));
  cpSync(installed, join(modules, 'orchsim'), { recursive: true });
}

/** Uses of every entry point that strict types without a cast must allow. */
const USES = `import { simulate, type Run } from 'orchsim';
import { assertHeld } from 'orchsim/testing';
import { jobScenarios } from 'orchsim/fast-check';
export const held = (run: Run): void => assertHeld(run);
export const again = [simulate, jobScenarios];
`;

/** The project's own controller with a bug: the search finds it, the file that it writes breaks, and holds with the correct controller. */
function searchesItsOwn(project: string): void {
  const orchsim = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(project, 'node_modules/orchsim/bin/orchsim.js'), ...args], { cwd: project, encoding: 'utf8' });
  const file = join(project, 'greeter.ts');
  const right = readFileSync(file, 'utf8');
  const wrong = right
    .replace('reconcile({ self: greeting })', 'reconcile({ self: greeting, failures })')
    .replace(
      '// Objects of the cache',
      "if (failures > 0) return idle('it was refused once, and once is enough');\n    // Objects of the cache",
    );
  expect(wrong.length).toBeGreaterThan(right.length + 50);
  writeFileSync(file, wrong);
  const found = orchsim('search', 'scenarios/greeting.yaml', '--budget', '32', '--faults', 'refuse', '--jobs', '1');
  expect(found).toMatchObject({ status: 1, stdout: expect.stringContaining('write controller-manager greeter') });
  expect(orchsim('run', 'found-greeting-1.yaml').status).toBe(1);
  writeFileSync(file, right);
  expect(orchsim('run', 'found-greeting-1.yaml').status).toBe(0);
}

describe('init', () => {
  it.each([
    ['fast-check', '4.'],
    ['fast-check-3', '3.'],
  ])(
    'writes a project that runs, passes its tests and is strictly typed, from the packed package, with %s',
    async (fastCheck, major) => {
      const cwd = folderWith({});
      expect(await cli(['init', 'mine'], { cwd })).toMatchObject({ code: 0, err: '' });
      const project = join(cwd, 'mine');
      installInto(project, fastCheck);
      const node = (script: string, ...args: readonly string[]): string =>
        execFileSync(process.execPath, [join(project, 'node_modules', script), ...args], {
          cwd: project,
          encoding: 'utf8',
          env: { ...process.env, VITEST: '' },
        });
      const { version } = JSON.parse(readFileSync(join(project, 'node_modules/fast-check/package.json'), 'utf8')) as {
        readonly version: string;
      };
      expect(version.startsWith(major)).toBe(true);
      expect(readFileSync(join(project, 'tsconfig.json'), 'utf8')).toMatch(/"strict": true,\s+"skipLibCheck": true/);
      // Only one of its tests draws with fast-check: the others are the same with either version.
      const drawn = major === '4.' ? [] : ['-t', 'with random faults'];
      expect(node('vitest/vitest.mjs', 'run', '--root', project, ...drawn)).toMatch(major === '4.' ? /4 passed/ : /1 passed/);
      // A project need not check the types of its dependencies; they are valid anyway, and self-contained.
      writeFileSync(join(project, 'use.ts'), USES);
      expect(node('typescript/bin/tsc', '--singleThreaded', '--skipLibCheck', 'false')).toBe('');
      if (major !== '4.') return;
      expect(node('orchsim/bin/orchsim.js', 'run', 'scenarios')).toContain('✓ greeting');
      searchesItsOwn(project);
      // The first line of the scenario names the schema for editors, which includes the project's own kind.
      const [first = ''] = readFileSync(join(project, 'scenarios/greeting.yaml'), 'utf8').split('\n');
      const schema = readFileSync(join(project, 'scenarios', /^# yaml-language-server: \$schema=(\S+)$/.exec(first)?.[1] ?? ''), 'utf8');
      expect(schema).toBe(node('orchsim/bin/orchsim.js', 'schema', 'scenario'));
      expect(schema).toContain('"Greeting"');
    },
    240_000,
  );
});
