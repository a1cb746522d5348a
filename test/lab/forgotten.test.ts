/**
 * The guard of memories: a shipped scenario runs, and at random moments between two events all memories are forgotten. Entries, digest and
 * verdict equal those of an undisturbed run, so memories hold no state. A sample of scenarios, drawn with a fixed seed; `FORGOTTEN=all` takes
 * every scenario.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { createRandom } from '../../src/engine/index.ts';
import { simulate, type Run, type stage } from '../../src/lab/simulation/index.ts';
import type { Scenario } from '../../src/lab/scenario/index.ts';
import { forgetAll, memo } from '../support/forgetful-memo.ts';
import { root, shipped } from '../support/shipped.ts';

interface Forgetful {
  readonly stage: typeof stage;
  readonly forgetAll: typeof forgetAll;
}

/** What each module is replaced by, by its path. */
type Changes = Readonly<Record<string, readonly [from: string, to: string]>>;
const FORGETS: Changes = {
  'src/engine/memo.ts': [
    'export const memo = <M extends object>(empty: M): M => empty;',
    "import { memo } from '../../test/support/forgetful-memo.ts';\nexport { memo };",
  ],
};

/** Builds a simulator whose memories can be forgotten, with further changes; each call of the result loads it anew, with no memories. */
async function forgetful(further: Changes = {}): Promise<() => Forgetful> {
  const changes = { ...FORGETS, ...further };
  const made = new Set<string>();
  const folder = mkdtempSync(join(tmpdir(), 'forgetful-'));
  folders.push(folder);
  const outfile = join(folder, 'forgetful.cjs');
  await build({
    absWorkingDir: root,
    stdin: {
      contents: "export { stage } from './src/lab/simulation/index.ts'; export { forgetAll } from './test/support/forgetful-memo.ts';",
      resolveDir: root,
    },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'scriptUrl' },
    banner: { js: "const scriptUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
    outfile,
    plugins: [
      {
        name: 'changes',
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const name = relative(root, path).split(sep).join('/');
            const [from, to] = changes[name] ?? ['', ''];
            const text = readFileSync(path, 'utf8');
            if (from === '') return { contents: text, loader: 'ts' };
            expect(text).toContain(from);
            made.add(name);
            return { contents: text.replace(from, to), loader: 'ts' };
          });
        },
      },
    ],
  });
  expect([...made].sort()).toEqual(Object.keys(changes).sort());
  const load = createRequire(import.meta.url);
  return () => {
    Reflect.deleteProperty(load.cache, outfile);
    return load(outfile) as Forgetful;
  };
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const isWhole = process.env['FORGOTTEN'] === 'all';
const SCENARIOS = 12;
/** Longer runs are for `FORGOTTEN=all`. */
const MOST_ENTRIES = isWhole ? 20_000 : 1_500;

const SEED = 41;
const draw = createRandom(SEED).stream('forgotten');
const scenarios = (['scenarios', 'scenarios/broken'] as const).flatMap((of) => shipped(of).scenarios.map(({ scenario }) => scenario));
const drawn = isWhole ? scenarios : Array.from({ length: SCENARIOS }, () => draw.pick(scenarios)).filter((each) => each !== undefined);

const textOf = (value: unknown): string => JSON.stringify(value, (_key, each: unknown) => (each instanceof Map ? [...each] : each));
interface Shown {
  readonly entries: readonly string[];
  readonly result: string;
}
const shown = (entries: readonly string[], { digest, verdict, steps, failures, lintWarnings, invariants, counters }: Run): Shown => ({
  entries,
  result: textOf({ digest, verdict, steps, failures, lintWarnings, invariants, counters }),
});

function undisturbed(scenario: Scenario): Shown {
  const entries: string[] = [];
  return shown(entries, simulate(scenario, { tries: false, onEntry: (entry) => void entries.push(textOf(entry)) }));
}

/** Forgets before about one event of `rarely`. Returns also how many memories there were at last. */
function disturbed(
  { stage: begin, forgetAll: forget }: Forgetful,
  scenario: Scenario,
  rarely: number,
): Shown & { readonly memories: number } {
  const entries: string[] = [];
  const { passing, pauseAt, end } = begin(scenario, { tries: false, onEntry: (entry) => void entries.push(textOf(entry)) });
  pauseAt(0);
  let memories = 0;
  for (;;) {
    if (draw.below(rarely) === 0) memories = forget();
    const { done, value } = passing.next();
    if (done === true) return { ...shown(entries, end(value)), memories };
  }
}

const load = await forgetful();

describe(`a run whose memories are forgotten is the same (seed ${SEED})`, () => {
  it.each([...new Set(drawn)].map((scenario) => [scenario.name, scenario] as const))(
    '%s',
    (_name, scenario) => {
      const expected = undisturbed(scenario);
      if (expected.entries.length > MOST_ENTRIES) return;
      const { entries, result } = disturbed(load(), scenario, 1 + Math.ceil(expected.entries.length / 50));
      const wrong = entries.findIndex((entry, nth) => entry !== expected.entries[nth]);
      expect([entries[wrong], entries.length]).toEqual([expected.entries[wrong], expected.entries.length]);
      expect(result).toBe(expected.result);
    },
    120_000,
  );
});

const small = scenarios.find(({ name }) => name === 'job-runs-to-completion');

it('a memory of any form forgets', () => {
  const key = {};
  const [weak, seen, byText, texts] = [new WeakMap<object, number>(), new WeakSet(), new Map<string, number>(), new Set<string>()].map(
    memo,
  ) as [WeakMap<object, number>, WeakSet<object>, Map<string, number>, Set<string>];
  const list = memo([0, 0]);
  const bytes = memo(Uint8Array.of(7));
  const last = memo<{ at: number; ids: Map<string, number>; more?: number }>({ at: 0, ids: new Map() });
  const word = memo(/\w/y);
  expect(weak.set(key, 1)).toBe(weak);
  seen.add(key);
  byText.set('a', 1);
  texts.add('a');
  list.push(1);
  list[0] = 1;
  bytes[0] = 1;
  last.ids.set('a', (last.at = last.more = 1));
  word.lastIndex = 1;
  const shows = () => [
    weak.get(key),
    seen.has(key),
    [...byText],
    [...texts],
    list,
    bytes[0],
    { ...last, ids: [...last.ids] },
    word.lastIndex,
  ];
  expect(shows()).toEqual([1, true, [['a', 1]], ['a'], [1, 0, 1], 1, { at: 1, ids: [['a', 1]], more: 1 }, 1]);
  forgetAll();
  expect(shows()).toEqual([undefined, false, [], [], [0, 0], 7, { at: 0, ids: [] }, 0]);
});

it('there are many memories', () => {
  if (small === undefined) throw new Error('the scenario is gone');
  expect(disturbed(load(), small, 5).memories).toBeGreaterThan(150);
});

it.each([
  ['a count', 'src/controlplane/agents/node/machine.ts', '{ leastStartMs, attempts: new Map(), addresses: 0 }'],
  ['a table', 'src/controlplane/agents/node/machine.ts', 'new Map<string, Run>()'],
])('finds %s that is declared a memory and holds state', async (_what, path, state) => {
  if (small === undefined) throw new Error('the scenario is gone');
  const up = '../'.repeat(path.split('/').length - 2);
  const planted = await forgetful({ [path]: [state, `require('${up}engine/index.ts').memo(${state})`] });
  expect(disturbed(planted(), small, 5).result).not.toBe(undisturbed(small).result);
});
