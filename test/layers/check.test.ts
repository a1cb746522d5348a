/** Plants one violation at a time: a rule that never fires is a wish. */
import { describe, expect, it } from 'vitest';
import { BANS } from './bans.ts';
import { brokenBans, brokenCasts, brokenCircles, brokenFunctions, brokenImports, brokenSizes, silentModules } from './check.ts';
import { functionsOf } from './functions.ts';
import type { SourceFile } from './source.ts';

const file = (path: string, ...lines: string[]): SourceFile => ({ path, text: `${lines.join('\n')}\n` });

describe('circles', () => {
  it('finds files that import each other, on request too, and no others', () => {
    const [a, b] = [file('src/lab/a.ts', "import type { B } from './b.ts';"), file('src/lab/b.ts', "await import('./c.ts');")];
    const top = file('src/lab/top.ts', "import './a.ts';");
    expect(brokenCircles([top, a, b, file('src/lab/c.ts', '')])).toEqual([]);
    const circle = brokenCircles([
      top,
      a,
      b,
      file('src/lab/c.ts', "import { a } from './a.ts';", "import './d.ts';"),
      file('src/lab/d.ts', ''),
    ]);
    expect(circle).toHaveLength(3);
    expect(circle[0]).toMatch(/^src\/lab\/a\.ts:1 is in a circle/);
  });
});

describe('imports', () => {
  const broken = (path: string, specifier: string): string[] => brokenImports([file(path, '', `import { x } from '${specifier}';`)]);

  it.each([
    ['src/apiserver/store/history.ts', '../../engine/index.ts'],
    ['src/apiserver/handlers/update.ts', '../store/index.ts'],
    ['src/apiserver/handlers/update.ts', './read.ts'],
    ['src/controlplane/controllers/job/controller.ts', '../../runtime/index.ts'],
    ['src/controlplane/controllers/job/controller.ts', './pods.ts'],
    ['src/controlplane/controllers/job/controller.ts', '../../shared/index.ts'],
    ['src/controlplane/controllers/index.ts', './job/controller.ts'],
    ['src/controlplane/agents/scheduler/plugins/volume-rules.ts', '../volumes/objects.ts'],
    ['src/controlplane/agents/node/index.ts', '../specs.ts'],
    ['src/controlplane/controllers/job/controller.ts', '../../../apiserver/kinds/index.ts'],
    ['src/apiserver/store/store.ts', 'immer'],
    ['src/surfaces/cli/main.ts', 'node:fs'],
    ['src/surfaces/cli/main.ts', '../../lab/simulation/index.ts'],
    ['src/lab/simulation/simulate.ts', '../../controlplane/cluster.ts'],
    ['src/index.ts', './lab/simulation/index.ts'],
  ])('%s may import %s', (path, specifier) => {
    expect(broken(path, specifier)).toEqual([]);
  });

  it.each([
    ['src/engine/kernel/queue.ts', '../../apiserver/store/index.ts', 'engine knows nothing of apiserver'],
    ['src/controlplane/cluster.ts', '../lab/trace/index.ts', 'controlplane knows nothing of lab'],
    ['src/lab/simulation/simulate.ts', '../../surfaces/report/index.ts', 'lab knows nothing of surfaces'],
    ['src/apiserver/store/store.ts', '../handlers/index.ts', 'module store stands above handlers in the list of apiserver'],
    ['src/apiserver/handlers/update.ts', '../store/history.ts', 'store/history.ts is inside: import apiserver/store/index.ts'],
    ['src/lab/trace/trace.ts', '../../engine/kernel/queue.ts', 'kernel/queue.ts is inside'],
    ['src/index.ts', './lab/simulation/simulate.ts', 'simulation/simulate.ts is inside'],
    ['src/apiserver/handlers/update.ts', '../basement/index.ts', 'apiserver has no module basement'],
    ['src/apiserver/handlers/update.ts', '../store', 'name the file with its ending'],
    ['src/apiserver/handlers/update.ts', '../../../test/support/oracle.ts', 'outside src'],
    ['src/lab/trace/trace.ts', 'node:fs', 'runs in a browser too'],
    ['src/lab/trace/trace.ts', 'pino', 'surfaces log'],
    ['src/lab/trace/trace.ts', 'left-pad', 'lab uses only rxjs, @marcbachmann/cel-js'],
    ['src/engine/kernel/kernel.ts', 'rxjs', 'engine uses only seedrandom'],
    ['src/controlplane/controllers/cron-job/jobs.ts', '../job/conditions.ts', 'move what both need to controlplane/shared'],
    ['src/controlplane/agents/scheduler/volumes/objects.ts', '../../node/volumes.ts', 'scheduler looks into its sibling node'],
  ])('%s must not import %s', (path, specifier, why) => {
    expect(broken(path, specifier)).toEqual([expect.stringContaining(why)]);
    expect(broken(path, specifier)[0]).toMatch(new RegExp(`^${path}:2 imports `));
  });

  it('sees type imports, re-exports, dynamic imports and long lists', () => {
    const sources = [
      "import type { A } from '../handlers/index.ts';",
      "export * from '../handlers/index.ts';",
      "export type { A, B } from '../handlers/index.ts';",
      "import '../handlers/index.ts';",
      "const a = import('../handlers/index.ts');",
      "import {\n  a,\n  type B,\n} from '../handlers/index.ts';",
    ];
    for (const source of sources) expect(brokenImports([file('src/apiserver/store/store.ts', source)]), source).toHaveLength(1);
  });

  it('does not take a comment or a string for an import', () => {
    const text = ["// import { x } from '../handlers/index.ts';", "const x = `import y from '../handlers/index.ts'`;"];
    expect(brokenImports([file('src/apiserver/store/store.ts', ...text)])).toEqual([]);
  });

  it("knows an rxjs source that waits by the host's clock", () => {
    const source = file('src/lab/trace/trace.ts', "import { Observable, debounceTime } from 'rxjs';");
    expect(brokenImports([source])).toEqual([expect.stringContaining('debounceTime waits by the host')]);
  });

  it('asks for a new module or layer to be listed', () => {
    expect(brokenImports([file('src/apiserver/attic/index.ts', '')])).toEqual([expect.stringContaining('apiserver has no module attic')]);
    expect(brokenImports([file('src/cellar/wine/index.ts', '')])).toEqual([expect.stringContaining('there is no layer cellar')]);
  });
});

describe('bans', () => {
  const broken = (...lines: string[]): string[] => brokenBans([file('src/apiserver/store/store.ts', ...lines)], []);

  const planted: readonly (readonly [ban: string, ...sources: string[]])[] = [
    ['Date.now', 'const t = Date.now();', 'schedule({ now: Date.now })'],
    ['new Date()', 'const t = new Date();', 'const t = new Date( );', 'f(new Date)'],
    ['Date()', 'const text = Date();'],
    ['performance', 'performance.now()'],
    ['a local date', 'date.getHours()', 'new Date(at).getFullYear()', 'date.toDateString()'],
    ['Math.random', 'Math.random()', 'const draw = Math.random;'],
    ['crypto', 'crypto.randomUUID()', 'crypto.getRandomValues(bytes)'],
    ['a timer', 'setTimeout(f, 1)', 'queueMicrotask(f)', 'process.nextTick(f)'],
    ['a promise', 'new Promise(f)', 'await x', 'async () => 1', 'async function f() {}', 'class A { async read() {} }'],
    ['localeCompare', 'a.localeCompare(b)'],
    ['toLocale…', 'n.toLocaleString()', 's.toLocaleLowerCase()'],
    ["Intl with the host's defaults", 'new Intl.NumberFormat()', 'new Intl.Collator(undefined)'],
    ['Intl.DateTimeFormat without a zone', "new Intl.DateTimeFormat('en-US', { hour: 'numeric' });"],
    ['sort() without a comparator', 'xs.sort()', '[...xs].toSorted( )'],
    ['transcendental maths', 'Math.exp(x)', 'Math.pow(2, n)', 'Math.log2(n)'],
    ['**', 'const y = 2 ** n;', 'x **= 2;'],
    ['weak references', 'new WeakRef(x)'],
    ['the host', 'process.env.HOME', 'Buffer.from(x)', 'window.location', 'document.createElement(x)'],
    [
      'a function assigned to a member',
      'hooks.act = (to) => run(to);',
      'if (x) { kept[at] = function () {}; }',
      'a.b!.c ??= one => two;',
      'this.end = (of: Entry, then = f(x)): void => { stop(); };',
    ],
    ['console', 'console.log(x)'],
    ['eval', 'eval(x)', 'new Function(x)'],
    ['texts compared by hand', 'xs.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))', 'xs.sort((a, b) => (a.name < b.name ? -1 : 1))'],
    ['as any', 'x as any', 'new Map<any>()'],
    ['VirtualTimeScheduler', 'new VirtualTimeScheduler()'],
    ['immer over the tree', 'enableMapSet()', 'produce(store, f)'],
  ];

  it.each(planted)('%s is seen, with line and remedy', (name, ...sources) => {
    const remedy = BANS.find((ban) => ban.name === name)?.remedy ?? 'no such ban';
    for (const source of sources) expect(broken('', source), source).toContain(`src/apiserver/store/store.ts:2 ${name}: ${remedy}`);
  });

  it('has planted every ban', () => {
    expect(planted.map(([name]) => name)).toEqual(BANS.map(({ name }) => name));
  });

  it.each([
    'new Date(input.now).getUTCHours()',
    'date.toISOString()',
    'Date.UTC(2024, 1, 1)',
    'const at: Date = new Date(0);',
    'Math.floor(x) + Math.log10Table',
    'xs.sort((a, b) => a - b)',
    '10n ** BigInt(n)',
    "new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric' });",
    'this.performance(x)',
    'store.process.name',
    'clock.setTimeoutAt(5)',
    'asyncIterations + awaited',
    '// Date.now() is banned, Math.random() too',
    '/* await new Promise(setTimeout) */',
    'const text = "Date.now()";',
    'const text = `${name} asked Math.random() for ${other} setTimeout`;',
    'const re = /new Date\\(\\)|["\'`]/g; const x = 1 / 2;',
    "const path = a / b; const s = 'console.log(1)' / c;",
    '/** documented ** twice */',
    "const pulse: Machinery['pulse'] = (name) => name;",
    'hooks.on = { act: (to) => run(to) };',
    'at.best = candidates.map((one) => one.cost);',
    'kept.size >= (most) && f((x) => x)',
  ])('lets pass: %s', (source) => {
    expect(broken(source)).toEqual([]);
  });

  it('sees code between and after literals', () => {
    expect(broken('const text = `a ${Date.now()} b ${`inner ${Math.random()}`} c`;')).toHaveLength(2);
    expect(broken('const re = /["\'`]/; Date.now();')).toHaveLength(1);
    expect(broken('const quote = "\\"";', 'const text = `{`;', 'Date.now();')).toEqual([expect.stringContaining('store.ts:3 ')]);
  });

  it('leaves the surfaces their clock, but not everything', () => {
    expect(brokenBans([file('src/surfaces/cli/main.ts', 'Date.now(); await x; console.log(y);')], [])).toEqual([]);
    expect(brokenBans([file('src/surfaces/cli/main.ts', 'x as any')], [])).toHaveLength(1);
  });

  it('lets an exemption pass, until it is no longer needed', () => {
    const exemption = { file: 'src/apiserver/store/store.ts', ban: 'Date.now', reason: 'for this test' };
    expect(brokenBans([file('src/apiserver/store/store.ts', 'Date.now()')], [exemption])).toEqual([]);
    expect(brokenBans([file('src/apiserver/store/store.ts', '')], [exemption])).toEqual([
      expect.stringContaining('no longer needs its exemption from "Date.now"'),
    ]);
  });
});

describe('sizes', () => {
  const long = (path: string, lines: number): SourceFile => file(path, ...Array.from({ length: lines }, () => 'x();'));
  const short = [1, 2, 3].map((n) => file(`src/lab/trace/${n}.ts`, ''));

  it('questions a long file unless it has a reason', () => {
    expect(brokenSizes([...short, long('src/lab/trace/long.ts', 301)], {})).toEqual([
      expect.stringContaining('src/lab/trace/long.ts:301 has 301 lines'),
    ]);
    expect(brokenSizes([...short, long('src/lab/trace/long.ts', 301)], { 'src/lab/trace/long.ts': 'one table' })).toEqual([]);
    expect(brokenSizes([...short, long('src/lab/trace/long.ts', 300)], {})).toEqual([]);
  });

  it('drops a reason that is no longer needed', () => {
    expect(brokenSizes(short, { 'src/lab/trace/1.ts': 'one table' })).toEqual([expect.stringContaining('take it off')]);
  });

  it('watches the median', () => {
    expect(
      brokenSizes(
        [1, 2, 3].map((n) => long(`src/lab/trace/${n}.ts`, 121)),
        {},
      ),
    ).toEqual([expect.stringContaining('the median file has 121 lines')]);
  });
});

describe('functions', () => {
  const lines = (count: number): string[] => Array.from({ length: count }, (_, at) => (at % 3 === 0 ? '' : `  step(${at}); // {`));
  const shapes: readonly (readonly [name: string, opening: string, closing: string])[] = [
    ['drive', 'export function drive(cluster: Cluster): void {', '}'],
    ['drive', 'async function drive<T extends { a: 1 }>({ a }: Options = {}): Promise<readonly T[]> {', '}'],
    ['drive', 'const drive = (cluster: Cluster): boolean => {', '};'],
    ['drive', 'const drive = async <T>(cluster: T) => {', '};'],
    ['drive', 'const world = { drive(at) {', '} };'],
    ['drive', 'const world = { get drive() {', '} };'],
    ['drive', 'const world = { drive: (at) => {', '} };'],
    ['drive', 'class World { drive(other: (at: number) => void): (at: number) => number {', '} }'],
    ['drive', 'const drive = (kind: Kind): Table => ({', '});'],
    ['(callback)', 'objects.forEach(({ metadata }) => {', '});'],
  ];

  it.each(shapes)('%s is measured: %s', (name, opening, closing) => {
    const planted = (count: number): SourceFile => file('src/lab/trace/a.ts', '', opening, ...lines(count), closing);
    expect(brokenFunctions([planted(68)], {})).toEqual([]);
    expect(brokenFunctions([planted(69)], {})).toEqual([
      `src/lab/trace/a.ts:2 ${name} has 71 lines, not 70: cut it into methods of a class that holds its state, as src/engine/kernel/queue.ts does`,
    ]);
  });

  it('counts what a function holds to itself and to its holder', () => {
    const nested = file('src/lab/trace/a.ts', 'function outer() {', '  const inner = () => {', ...lines(70), '  };', '}');
    expect(brokenFunctions([nested], {}).map((text) => text.split(':').slice(0, 2).join(':'))).toEqual([
      'src/lab/trace/a.ts:1 outer has 74 lines, not 70',
      'src/lab/trace/a.ts:2 inner has 72 lines, not 70',
    ]);
  });

  it.each([
    'if (isFinished(job)) {',
    'for (const one of all()) {',
    'for await (const one of all()) {',
    'export const TABLE: Readonly<Record<string, number>> = {',
    'export interface Long { short(a: string): void; readonly long: {',
    'class Long extends Short {',
    'declare const read: (at: (n: number) => void) => number; const table = {',
  ])('takes no function for what is none: %s', (opening) => {
    expect(functionsOf(file('src/lab/trace/a.ts', opening, ...lines(80), '}')).filter((found) => found.lines > 70)).toEqual([]);
  });

  it('keeps a list of those that may stay long, which shrinks', () => {
    const long = file('src/lab/trace/a.ts', 'function drive() {', ...lines(80), '}');
    const may = { 'src/lab/trace/a.ts drive': 'to be cut' };
    expect(brokenFunctions([long], may)).toEqual([]);
    expect(brokenFunctions([file('src/lab/trace/a.ts', 'function drive() {}')], may)).toEqual([
      'src/lab/trace/a.ts:1 drive is not long any more: take it off MAY_BE_LONG_FUNCTIONS',
    ]);
  });
});

describe('casts', () => {
  const twice = file(
    'src/lab/trace/a.ts',
    'const a = b as unknown as Pod;',
    "const text = 'as unknown as';",
    'f(b as',
    '  unknown as Job);',
  );

  it('are refused where nobody allowed them, with line and remedy', () => {
    expect(brokenCasts([twice], {})).toEqual([expect.stringMatching(/^src\/lab\/trace\/a\.ts:3 as unknown as: type the value where/)]);
    expect(brokenCasts([twice], { 'src/lab/trace/a.ts': { count: 1, reason: 'a line becomes a pod' } })).toHaveLength(1);
    expect(brokenCasts([twice], { 'src/lab/trace/a.ts': { count: 2, reason: 'a line becomes a pod' } })).toEqual([]);
  });

  it('are allowed in exact numbers', () => {
    expect(brokenCasts([twice], { 'src/lab/trace/a.ts': { count: 3, reason: 'a line becomes a pod' } })).toEqual([
      'src/lab/trace/a.ts:1 has 2 of the 3 casts that CASTS allows it: lower the number in test/layers/bans.ts',
    ]);
    expect(brokenCasts([], { 'src/lab/gone.ts': { count: 1, reason: 'it went' } })).toHaveLength(1);
  });
});

describe('faces', () => {
  it('open with what lives there', () => {
    expect(silentModules([file('src/lab/trace/index.ts', "export { x } from './x.ts';")])).toEqual([
      expect.stringContaining('src/lab/trace/index.ts:1'),
    ]);
    expect(
      silentModules([file('src/lab/trace/index.ts', '/** What happened. */'), file('src/controlplane/controllers/job/index.ts', 'x')]),
    ).toEqual([]);
  });
});
