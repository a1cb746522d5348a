/** Parts of plug-ins: counters in loops, guards of modules, files that are found, bundles and their problems. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as acorn from 'acorn';
import { describe, expect, it } from 'vitest';
import { bundle } from '../../../src/surfaces/plugins/bundle.ts';
import { requiring } from '../../../src/surfaces/plugins/host-modules.ts';
import { pluginLoader } from '../../../src/surfaces/plugins/index.ts';
import { columnBefore, endless, watched } from '../../../src/surfaces/plugins/loops.ts';
import { compiledName, placeIn } from '../../../src/surfaces/plugins/places.ts';
import { folderWith } from '../cli/cli.ts';

describe('code with counters', () => {
  const plain = (code: string): string => watched(code, acorn).replaceAll('/*<*/', '').replaceAll('/*>*/', '');
  const counted = (nth: number): string => `if(++__turns${nth}>1000000)__endless();`;

  it.each([
    ['while (a) { b(); }', `{let __turns0=0;while (a) {${counted(0)} b(); }}`],
    ['while (a) b();', `{let __turns0=0;while (a) {${counted(0)}b();}}`],
    ['do a(); while (b)', `{let __turns0=0;do {${counted(0)}a();} while (b)}`],
    ['for (;;) ;', `{let __turns0=0;for (;;) {${counted(0)};}}`],
    ['for (const a in b) c();', `{let __turns0=0;for (const a in b) {${counted(0)}c();}}`],
    ['for (const a of b) c();', `{let __turns0=0;for (const a of b) {${counted(0)}c();}}`],
    ['x: while (a) continue x;', `{let __turns0=0;x: while (a) {${counted(0)}continue x;}}`],
    ['while (a) while (b) c();', `{let __turns0=0;while (a) {${counted(0)}{let __turns2=0;while (b) {${counted(2)}c();}}}}`],
    ['async function a() { b(); }', 'async function a() {__entered(); b(); }'],
    ['const a = async () => 1;', 'const a = async () => (__entered(),1);'],
    ['const a = async function () { };', 'const a = async function () {__entered(); };'],
    ['const a = () => 1; function b() { }', 'const a = () => 1; function b() { }'],
    ['if (a) b(); else return c;', 'if (a) b(); else return c;'],
  ])('%s', (code, counters) => {
    expect(plain(code)).toBe(counters);
  });

  it('has the columns that it had', () => {
    const code = 'while (aa) while (bb) cc(zz);';
    const line = watched(code, acorn);
    for (const word of ['aa', 'bb', 'cc', 'zz']) expect(columnBefore(line, line.indexOf(word))).toBe(code.indexOf(word));
    expect(columnBefore('abc', 2)).toBe(2);
    // A column within a counter is that of the code behind it.
    expect(columnBefore(line, 10)).toBe(0);
  });

  it('ends an endless loop with an error of its own', () => {
    expect(endless).toThrow(
      expect.objectContaining({ name: 'EndlessLoop', message: 'a loop was still running after a million iterations' }) as Error,
    );
  });
});

describe('modules of Node', () => {
  const require = createRequire(import.meta.url);
  const guardedIn = (name: string): readonly string[] => {
    const original = require(name) as Readonly<Record<string, unknown>>;
    const given = requiring(require)(name) as typeof original;
    return Object.keys(given).filter((key) => given[key] !== original[key]);
  };

  it.each([
    'child_process',
    'dgram',
    'dns',
    'dns/promises',
    'fs',
    'fs/promises',
    'http',
    'http2',
    'https',
    'net',
    'os',
    'perf_hooks',
    'process',
    'timers',
    'timers/promises',
    'tls',
    'worker_threads',
  ])('%s reads the host: all of its functions are guarded', (name) => {
    const functions = Object.entries(require(name) as object).flatMap(([key, value]) => (typeof value === 'function' ? [key] : []));
    expect(guardedIn(name)).toEqual(functions);
    expect(guardedIn(`node:${name}`)).toEqual(functions);
  });

  it.each(['path', 'util', 'url', 'assert', 'buffer', 'events'])('%s reads nothing', (name) => {
    expect(requiring(require)(name)).toBe(require(name));
  });
});

describe('plug-ins of a command line', () => {
  const CONFIG = 'export default {};\n';
  const loader = (files: Readonly<Record<string, string>>, named: readonly string[] = [], config = true) => {
    const cwd = folderWith(files);
    const { of } = pluginLoader({ with: named, config }, cwd);
    return { cwd, of };
  };
  const bundlesOf = (loaded: ReturnType<ReturnType<typeof pluginLoader>['of']>): readonly string[] =>
    'plugins' in loaded ? loaded.plugins.sources.bundles.map(({ shown }) => shown) : loaded.problems;

  it('are those beside a scenario or above it, up to the working folder', () => {
    const { of } = loader({ 'orchsim.config.js': CONFIG, 'a/b/orchsim.config.mjs': CONFIG, 'a/b/x.yaml': '', 'a/x.yaml': '' });
    expect(bundlesOf(of(undefined))).toEqual(['orchsim.config.js']);
    expect(bundlesOf(of('a/x.yaml'))).toEqual(['orchsim.config.js']);
    expect(bundlesOf(of('a/b/x.yaml'))).toEqual(['a/b/orchsim.config.mjs']);
    // Scenarios with the same configuration share what was loaded.
    expect(of('a/x.yaml')).toBe(of(undefined));
  });

  it('have one of four names, the first that is there', () => {
    const names = ['orchsim.config.ts', 'orchsim.config.mts', 'orchsim.config.js', 'orchsim.config.mjs'];
    for (const [at, name] of names.entries())
      expect(bundlesOf(loader(Object.fromEntries(names.slice(at).map((each) => [each, CONFIG]))).of(undefined))).toEqual([name]);
    expect(bundlesOf(loader({ 'orchsim.config.json': CONFIG }).of(undefined))).toEqual([]);
    expect(bundlesOf(loader({ 'orchsim.config.ts/x': CONFIG }).of(undefined))).toEqual([]);
  });

  it('of a scenario outside are those of its folder alone', () => {
    const outside = folderWith({ 'orchsim.config.js': CONFIG, 'x.yaml': '', 'in/y.yaml': '' });
    const { of } = loader({});
    expect(bundlesOf(of(join(outside, 'x.yaml')))).toEqual([join(outside, 'orchsim.config.js')]);
    expect(bundlesOf(of(join(outside, 'in/y.yaml')))).toEqual([]);
  });

  it('are loaded once, with the words that load them again', () => {
    const loaded = loader({ 'orchsim.config.js': CONFIG, 'a.mjs': CONFIG }, ['a.mjs', './a.mjs']).of(undefined);
    expect(bundlesOf(loaded)).toEqual(['orchsim.config.js', 'a.mjs']);
    expect('plugins' in loaded && loaded.plugins.sources.words).toEqual(['--with', 'a.mjs', '--with', './a.mjs']);
    const without = loader({ 'orchsim.config.js': CONFIG }, [], false).of(undefined);
    expect([bundlesOf(without), 'plugins' in without && without.plugins.sources.words]).toEqual([[], ['--no-config']]);
  });

  it('are there; the nearest name is suggested', () => {
    expect(bundlesOf(loader({ 'in/mine.ts': CONFIG }, ['in/mnie.ts', 'nowhere/a.ts']).of(undefined))).toEqual([
      '--with in/mnie.ts: no such file; did you mean in/mine.ts?',
      '--with nowhere/a.ts: no such file',
    ]);
    expect(bundlesOf(loader({ 'in/x': '' }, ['in']).of(undefined))[0]).toMatch(/^--with in: no such file/);
  });

  it('may be texts of definitions', () => {
    const loaded = loader({ 'a.yaml': 'kind: Nothing\n' }, ['a.yaml']).of(undefined);
    expect('problems' in loaded && loaded.problems.length > 0 && loaded.problems.every((line) => line.startsWith('a.yaml:'))).toBe(true);
  });
});

describe('a bundle', () => {
  it('has the files that it is made of, and places of its code', () => {
    const cwd = folderWith({
      'a.ts': "import { fail } from './in/b.ts';\nfail();\n",
      'in/b.ts': '\nexport const fail = (): never => {\n  throw new Error("no");\n};\n',
    });
    const problems: string[] = [];
    const made = bundle(join(cwd, 'a.ts'), 'a.ts', cwd, problems);
    if (made === undefined) throw new Error(problems.join('\n'));
    expect(made.inputs.toSorted()).toEqual([join(cwd, 'a.ts'), join(cwd, 'in/b.ts')]);
    const row = made.code.split('\n').findIndex((line) => line.includes('throw new Error'));
    const column = made.code.split('\n')[row]?.indexOf('throw') ?? 0;
    const frame = `Error: no\n    at other (/x.js:1:1)\n    at fail (${compiledName(made)}:${row + 1}:${column + 1})`;
    expect(placeIn(frame, [made], cwd)).toEqual({ file: 'in/b.ts', line: 3, col: 3 });
    // A file outside of the working directory has its whole path.
    const inside = join(cwd, 'in/deep');
    expect(placeIn(frame, [{ ...made, map: made.map.replaceAll('in/b.ts', '../b.ts') }], inside)).toMatchObject({
      file: join(cwd, 'in/b.ts'),
    });
    expect(placeIn('Error: no\n    at other (/x.js:1:1)', [made], cwd)).toBeUndefined();
    expect(placeIn(frame, [], cwd)).toBeUndefined();
  });

  it('that cannot be made says where', () => {
    const cwd = folderWith({ 'a.ts': "import './none.ts';\nexport default {{;\n" });
    const problems: string[] = [];
    expect(bundle(join(cwd, 'a.ts'), 'a.ts', cwd, problems)).toBeUndefined();
    expect(problems).toEqual([expect.stringMatching(/^a\.ts:2:17: Expected/)]);
  });
});
