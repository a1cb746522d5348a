/**
 * Every shipped scenario: it holds, it is the same twice and in a fresh process, and its transcript equals the golden text. `npm run
 * update-golden` writes the texts; review their diff.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { itemsOf, type Item, type Scenario } from '../src/lab/scenario/index.ts';
import { simulate, type Run } from '../src/lab/simulation/index.ts';
import { readScenarios, type LoadedScenario } from '../src/surfaces/cli/load.ts';
import { freshDigests } from './support/fresh-process.ts';
import { goldenText } from './support/golden.ts';

const root = resolve(import.meta.dirname, '..');
const goldenFolder = join(root, 'test/golden');
const updating = process.env['UPDATE_GOLDEN'] !== undefined;

const { scenarios: loaded, problems } = readScenarios(['scenarios'], { cwd: root });
const files = [...new Set(loaded.map(({ file }) => file))];
const of = (file: string): readonly LoadedScenario[] => loaded.filter((each) => each.file === file);
const goldenOf = (file: string): string =>
  join(
    goldenFolder,
    `${relative('scenarios', file)
      .replaceAll('\\', '/')
      .replace(/\.\w+$/, '')}.txt`,
  );

/** A run is made when it is first needed: several tests of a file use the same one. */
const runs = new Map<Scenario, Run>();
const runOf = (scenario: Scenario): Run => {
  let run = runs.get(scenario);
  if (run === undefined) runs.set(scenario, (run = simulate(scenario, { trace: true })));
  return run;
};

/** What-ifs of a lesson are not part of its digest, and have been tried in the run that is compared with. */
const ITSELF = { tries: false } as const;

/** Maximum events of a shipped scenario, in place of a time; most need a few thousand, which takes a few milliseconds. */
const QUICK = 120_000;

const OTHER_SEEDS = [2, 3];
/** Scenarios that depend on their seed, each with its reason. */
const BY_SEED: Readonly<Record<string, string>> = {
  'lease-recorded-failover': 'which of the candidates comes first is drawn, and this is the recorded one',
};

/** Kinds with invariants that every run exercises. */
const JUDGED: ReadonlySet<string> = new Set(['Job', 'CronJob', 'StatefulSet']);

it('all files are well formed', () => {
  expect(problems).toEqual([]);
  expect(files.length).toBeGreaterThan(10);
});

it('names are unique', () => {
  const names = loaded.map(({ scenario }) => scenario.name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.each(files)('%s', (file) => {
  it.each(of(file).map(({ scenario }) => [scenario.name, scenario] as const))(
    '%s holds, is quick, and has something exercised',
    (_name, scenario) => {
      const { failures, invariants, verdict, steps, trace } = runOf(scenario);
      expect(failures.map(({ kind, message, detail, source }) => ({ kind, message, detail, line: source?.line }))).toEqual([]);
      expect(verdict).toBe('held');
      expect(steps).toBeLessThan(QUICK);
      const judged = trace?.entries.some((entry) => entry.type === 'write' && JUDGED.has(entry.change.kind)) === true;
      if (judged) expect(invariants.reduce((sum, { exercised }) => sum + exercised, 0)).toBeGreaterThan(0);
    },
  );

  it('says what it teaches, and every note has a check', () => {
    for (const { scenario } of of(file)) {
      const { title = '', teaches = '', steps, name } = scenario;
      expect(title, `${name}: spec.title`).not.toBe('');
      expect(teaches.trim(), `${name}: spec.teaches is one sentence`).toMatch(/^[A-Z][^]*\.\)?$/);
      expect(
        itemsOf(steps)
          .filter((item) => item.step.note !== undefined && !isChecked(item))
          .map(({ step }) => step.note),
        `${name}: nothing checks these notes when they are told; a waitFor, an expect or a claim has to stand beside each`,
      ).toEqual([]);
    }
  });

  it('reports every note, with its subject', () => {
    for (const { scenario } of of(file)) {
      const reported = runOf(scenario).narrationSteps.filter(({ text }) => text !== undefined);
      const written = scenario.steps.flatMap(({ before, note }) => [before, note]).filter((text) => text !== undefined);
      expect(reported.map(({ text }) => text)).toEqual(written);
      // A note before a step may be about an object that the step creates.
      const notes = new Set(scenario.steps.map(({ note }) => note));
      expect(
        reported.filter(({ about, text }) => about === undefined && notes.has(text)).map(({ text }) => text),
        `${scenario.name}: what these are about does not follow from their step; say about: Kind/name`,
      ).toEqual([]);
    }
  });

  it('holds under other seeds, as in the recommended sweep', () => {
    const seeds = of(file).flatMap(({ scenario }) =>
      Object.hasOwn(BY_SEED, scenario.name) ? [] : OTHER_SEEDS.map((seed) => simulate(scenario, { seed, digest: false })),
    );
    expect(
      seeds.flatMap(({ scenario: { name }, seed, failures }) => failures.map(({ message }) => `${name} --seed ${seed}: ${message}`)),
    ).toEqual([]);
  });

  it('is the same twice', () => {
    for (const { scenario } of of(file)) expect(simulate(scenario, ITSELF).digest, scenario.name).toBe(runOf(scenario).digest);
  });

  it('is the same if every change triggers every controller: predicates lose nothing relevant', () => {
    for (const { scenario } of of(file))
      expect(simulate(scenario, { ...ITSELF, broadcast: true }).digest, scenario.name).toBe(runOf(scenario).digest);
  });

  it('equals its golden text', () => {
    const text = of(file)
      .map(({ scenario }) => goldenText(runOf(scenario)))
      .join('\n');
    const path = goldenOf(file);
    if (updating) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    expect(existsSync(path), `${relative(root, path)} is missing: npm run update-golden makes it`).toBe(true);
    expect(text, `${relative(root, path)} says otherwise; if the change is meant: npm run update-golden, and read the diff`).toBe(
      readFileSync(path, 'utf8'),
    );
  });
});

/** Whether anything is checked when the note of an item is reported. */
const isChecked = ({ step, beside }: Item): boolean =>
  beside !== undefined || step.assertions !== undefined || step.verb === 'waitFor' || step.verb === 'expect' || step.verb === 'expectError';

// Started at once, so that it runs beside the other tests.
const inFreshProcess = freshDigests().catch((error: unknown) => ({ failed: String(error) }));

it('a fresh process has the same result', { timeout: 120_000 }, async () => {
  const fresh = await inFreshProcess;
  expect('failed' in fresh ? fresh : fresh.scenarios).toEqual(
    Object.fromEntries(loaded.map(({ scenario }) => [scenario.name, runOf(scenario).digest])),
  );
});

it('every golden text has a scenario', () => {
  const expected = new Set(files.map(goldenOf));
  const stale = readdirSync(goldenFolder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(goldenFolder, path))
    .filter((path) => path.endsWith('.txt') && !expected.has(path));
  if (updating) for (const path of stale) rmSync(path);
  else expect(stale.map((path) => relative(root, path))).toEqual([]);
});

describe('the scenario that is broken on purpose', () => {
  const { scenarios: broken } = readScenarios(['scenarios/broken'], { cwd: root });
  it.each(broken.map(({ scenario }) => [scenario.name, scenario] as const))('%s breaks', (_name, scenario) => {
    expect(runOf(scenario).verdict).toBe('broken');
  });
});

afterAll(() => {
  runs.clear();
});
