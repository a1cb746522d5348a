/** The test files of `npm test`: what a change reaches, nearest first, as far as the time goes, and a common part. */
import { foldersBeside, isTest, reaching, type Importers } from './graph.ts';
import type { Timings } from './timings.ts';

/** What every change is tested with: the rules of the architecture, and samples of recordings, golden texts and documents. */
export const COMMON: readonly string[] = [
  'test/layers.test.ts',
  'test/retired-words.test.ts',
  'test/golden.test.ts',
  'test/apiserver/handlers/transcripts.test.ts',
  'test/apiserver/patch/recordings.test.ts',
  'test/controlplane/controllers/lease/recorded.test.ts',
  'test/engine/kernel.test.ts',
  'test/readme/document.test.ts',
  'test/index.test.ts',
];

/** What only `npm run test:all` runs: other orders and seeds, browsers, copies of the tree, searches. */
const WHOLE_ONLY: readonly RegExp[] = [
  /^test\/(?:golden-orders|browser|package|additions|mutants|fresh)\.test\.ts$/,
  /^test\/lab\/(?:explore\/|simulation\/orders|search\/incidents\/)/,
  /^test\/surfaces\/page\/(?:page|lesson|link|traces|runs|futures|serve|cache-lens|editor)\.test\.ts$/,
];

/** Texts and data that no file imports, and programs that tests start, with the tests that do. */
const READERS: readonly (readonly [path: RegExp, tests: RegExp])[] = [
  [/^scenarios\//, /^test\/(?:golden|lessons)\.test\.ts$/],
  [/^test\/golden\//, /^test\/golden\.test\.ts$/],
  [/^test\/oracle\//, /^test\/conformance\/|recordings|recorded/],
  [/^src\/guide\/|^README\.md$|^src\/README\.md$|^\.github\//, /^test\/(?:docs|readme|readme\/document)\.test\.ts$|\/help\.test\.ts$/],
  [/^src\/surfaces\/page\//, /^test\/surfaces\/page\//],
  [/^src\/surfaces\/http\//, /^test\/surfaces\/http\/process\//],
  [/^src\/surfaces\/cli\//, /^test\/surfaces\/cli\//],
  [/^src\/build\/|^bin\//, /^test\/(?:fresh|docs)\.test\.ts$|\/kept\.test\.ts$/],
];

/** Files that may change everything, in ways that imports do not show. */
const EVERYTHING =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|vitest\.config\.ts|\.ci\/.*|test\/habits\/.*|test\/support\/(?:typescript|reporter|sequence).*)$/;

export interface Selection {
  readonly chosen: readonly string[];
  /** Reached, and left out because the time is used up; the nearest first. */
  readonly left: readonly string[];
  /** Reached, and part of the whole only. */
  readonly wholeOnly: readonly string[];
  /** Tests that have changed, and are left out all the same. */
  readonly changedTests: readonly string[];
  /** Changed files that may change everything. */
  readonly unknown: readonly string[];
}

export interface Circumstances {
  /** All test files, and who imports what. */
  readonly tests: readonly string[];
  readonly importers: Importers;
  readonly changed: readonly string[];
  readonly timings: Timings;
  /** The time of the tests, all added up, in milliseconds. */
  readonly budgetMs: number;
}

/** Returns the tests for a change. */
export function selected({ tests, importers, changed, timings, budgetMs }: Circumstances): Selection {
  const known = new Set(tests);
  const reached = distancesOf({ tests, importers, changed });
  const isWholeOnly = (test: string): boolean => WHOLE_ONLY.some((pattern) => pattern.test(test));
  const candidates = [...reached.keys()]
    .filter((test) => known.has(test) && !COMMON.includes(test))
    .sort((a, b) => (reached.get(a) ?? 0) - (reached.get(b) ?? 0) || timings.of(a) - timings.of(b) || (a < b ? -1 : 1));
  const chosen = COMMON.filter((test) => known.has(test));
  const left: string[] = [];
  let rest = budgetMs;
  for (const test of candidates.filter((each) => !isWholeOnly(each))) {
    const ms = timings.of(test);
    const fits = ms <= rest;
    if (fits) rest -= ms;
    (fits ? chosen : left).push(test);
  }
  const wholeOnly = candidates.filter(isWholeOnly);
  const changedTests = [...left, ...wholeOnly].filter((test) => reached.get(test) === 0);
  return { chosen, left, wholeOnly, changedTests, unknown: changed.filter((path) => EVERYTHING.test(path)) };
}

/** How near each test is: changed itself (0), in the nearest folder of a changed file (between), by its imports. */
function distancesOf({ tests, importers, changed }: Pick<Circumstances, 'tests' | 'importers' | 'changed'>): ReadonlyMap<string, number> {
  const distances = new Map([...reaching(importers, changed)].filter(([path]) => isTest(path)));
  for (const path of changed) {
    for (const [data, readers] of READERS)
      if (data.test(path)) for (const test of tests) if (readers.test(test) && !distances.has(test)) distances.set(test, 1);
    const beside = foldersBeside(path)
      .map((folder) => tests.filter((test) => test.startsWith(folder) && distances.has(test)))
      .find((found) => found.length > 0);
    for (const test of beside ?? []) distances.set(test, Math.min(distances.get(test) ?? 1, 0.5));
  }
  return distances;
}
