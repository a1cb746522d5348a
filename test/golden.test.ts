/**
 * Every shipped scenario: it holds, its digest is the recorded one, and its transcript equals the golden text. `npm run update-golden`
 * writes the texts, and `wording.txt` with their sentences and the digests; review their diff. `golden-orders.test.ts` has other seeds, orders and
 * a fresh process. `GOLDEN_SAMPLE=7` runs every seventh file, for `npm test`, and those named in `GOLDEN_FILES`.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../src/controlplane/cluster.ts';
import { watchLivelocks, watchStarvation } from '../src/lab/livelock/index.ts';
import { itemsOf, type Item, type Scenario } from '../src/lab/scenario/index.ts';
import { livenessIn, simulate, type Run } from '../src/lab/simulation/index.ts';
import type { LoadedScenario } from '../src/surfaces/cli/load.ts';
import { clipped, goldenText } from './support/golden.ts';
import { goldenFolder, goldenOf, recorded, root, shipped, textOf, wordingFile, writtenRecord } from './support/shipped.ts';
import { inWords, structureOf, templatesIn, updatedWording } from './support/wording.ts';

const updating = process.env['UPDATE_GOLDEN'] !== undefined;

const { scenarios: loaded, problems } = shipped('scenarios');
const { scenarios: broken } = shipped('scenarios/broken');
const files = [...new Set(loaded.map(({ file }) => file))];
const of = (file: string): readonly LoadedScenario[] => loaded.filter((each) => each.file === file);

/** Every file, or a sample. */
const every = Number(process.env['GOLDEN_SAMPLE'] ?? 1);
const named = new Set(process.env['GOLDEN_FILES']?.split(' '));
const chosen = files.filter((file, index) => index % every === 0 || named.has(file.replaceAll('\\', '/')));

/** A run is made when it is first needed: several tests of a file use the same one. */
const runs = new Map<Scenario, Run>();
/** The livelock and the starvation of a run, if any. */
const stuck = new Map<Scenario, readonly unknown[]>();
function runOf(scenario: Scenario): Run {
  const known = runs.get(scenario);
  if (known !== undefined) return known;
  const there: { cluster?: Cluster } = {};
  const livelocks = watchLivelocks(() => there.cluster);
  const hungry = watchStarvation(() => there.cluster);
  const run = simulate(scenario, {
    trace: true,
    onCluster: (cluster) => (there.cluster = cluster),
    onEntry(entry) {
      livelocks.observe(entry);
      hungry.observe(entry);
    },
  });
  runs.set(scenario, run);
  stuck.set(
    scenario,
    [livelocks.livelock, hungry.starvation, livenessIn(run)].filter((each) => each !== undefined),
  );
  return run;
}

const { wording, digests } = recorded();
/** The golden texts of the runs, by path, with marked sentences. */
const texts = new Map<string, readonly string[]>();
const recordOf = (sections: readonly string[], as = structureOf(wording)): string => sections.map((text) => clipped(as(text))).join('\n');

/** Maximum events of a shipped scenario, in place of a time; most need a few thousand, which takes a few milliseconds. */
const QUICK = 120_000;

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

describe.each(chosen)('%s', (file) => {
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

  it('has no livelock, and no key fails again and again without a fault', () => {
    for (const { scenario } of of(file)) expect([runOf(scenario).scenario.name, stuck.get(scenario)]).toEqual([scenario.name, []]);
  });

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

  it('has the recorded digest, and equals its golden text', () => {
    const path = goldenOf(file);
    const sections = of(file).map(({ scenario }) => goldenText(runOf(scenario)));
    texts.set(path, sections);
    if (updating) return;
    const record = textOf(path);
    const hint = `${relative(root, path)}: if the change is meant, npm run update-golden, and read the diff`;
    expect(record, hint).toBeDefined();
    const found = recordOf(sections);
    // First with its sentences, for a difference that can be read.
    expect(inWords(wording, found), hint).toBe(inWords(wording, record ?? ''));
    expect(found, hint).toBe(record);
    for (const { scenario } of of(file)) expect(runOf(scenario).digest, hint).toBe(digests.get(scenario.name));
  });
});

/** Whether anything is checked when the note of an item is reported. */
const isChecked = ({ step, beside }: Item): boolean =>
  beside !== undefined || step.assertions !== undefined || step.verb === 'waitFor' || step.verb === 'expect' || step.verb === 'expectError';

describe('the scenario that is broken on purpose', () => {
  it.each(broken.map(({ scenario }) => [scenario.name, scenario] as const))('%s breaks', (name, scenario) => {
    expect(runOf(scenario).verdict).toBe('broken');
    expect(stuck.get(scenario)).toEqual([]);
    if (!updating) expect(runOf(scenario).digest).toBe(digests.get(name));
  });
});

it('every golden text and every digest has a scenario', () => {
  const expected = new Set([...files.map(goldenOf), wordingFile]);
  const stale = readdirSync(goldenFolder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(goldenFolder, path))
    .filter((path) => path.endsWith('.txt') && !expected.has(path));
  if (updating) for (const path of stale) rmSync(path);
  else {
    expect(stale.map((path) => relative(root, path))).toEqual([]);
    expect([...digests.keys()].sort()).toEqual([...loaded, ...broken].map(({ scenario }) => scenario.name).sort());
  }
});

it('every sentence of the wording is used', ({ skip }) => {
  // Only a run of all texts can tell.
  if (updating || texts.size < files.length) return skip();
  const used = new Set([...texts.values()].flat().flatMap(templatesIn));
  expect([...wording.values()].filter((sentence) => !used.has(sentence))).toEqual([]);
});

/** Writes what `UPDATE_GOLDEN` asks for, when all runs are made: a sentence keeps its id in all texts, or in none. */
function update(): void {
  const changes = [...texts].map(([path, sections]) => ({ before: textOf(path), now: sections.join('\n') }));
  const updated = updatedWording(wording, changes, texts.size === files.length);
  for (const [path, sections] of texts) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, recordOf(sections, structureOf(updated)));
  }
  const names = new Set([...loaded, ...broken].map(({ scenario }) => scenario.name));
  const now = [...runs].map(([{ name }, { digest }]) => [name, digest] as const);
  const kept = [...digests].filter(([name]) => names.has(name));
  writeFileSync(wordingFile, writtenRecord({ wording: updated, digests: new Map([...kept, ...now]) }));
}

afterAll(() => {
  if (updating) update();
  runs.clear();
  texts.clear();
});
