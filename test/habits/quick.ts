/** What `npm test` runs: asks git for the change, and says what is left out. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { importersOf, isTest, sourceFiles } from './graph.ts';
import { selected, type Selection } from './selection.ts';
import { lastTimings, type Timings } from './timings.ts';

const root = join(import.meta.dirname, '../..');
/** The time of all tests together, in milliseconds. On two cores it is half, beside types, lint and a build. */
const BUDGET_MS = 200_000;
/** Every so manyth golden text is compared; those of changed scenarios are, too. */
const GOLDEN_SAMPLE = 12;

export interface Quick {
  readonly tests: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What runs, and, in the last line, what does not. */
  readonly report: readonly string[];
}

export function quickTests(): Quick {
  const { base, changed } = changes();
  const files = sourceFiles();
  const tests = files.filter(isTest);
  const timings = lastTimings();
  const selection = selected({ tests, importers: importersOf(files), changed, timings, budgetMs: BUDGET_MS });
  const scenarios = changed
    .filter((path) => /^scenarios\/|^test\/golden\//.test(path))
    .map((path) => path.replace(/^test\/golden\/(.*)\.txt$/, 'scenarios/$1.yaml'));
  return {
    tests: selection.chosen,
    env: { GOLDEN_SAMPLE: `${GOLDEN_SAMPLE}`, GOLDEN_FILES: scenarios.join(' ') },
    report: reported(selection, { base, changed: changed.length, tests: tests.length, timings }),
  };
}

/** Returns the files that differ from the main branch, committed or not; on it, those of its last commit, too. */
function changes(): { readonly base: string; readonly changed: readonly string[] } {
  const head = git('rev-parse', 'HEAD');
  const fork = ['main', 'origin/main'].map((branch) => git('merge-base', 'HEAD', branch)).find((commit) => commit !== '');
  const base = fork === undefined || fork === head ? git('rev-parse', 'HEAD~1') || head : fork;
  const listed = `${git('diff', '--name-only', base)}\n${git('ls-files', '--others', '--exclude-standard')}`;
  return { base: base.slice(0, 10), changed: [...new Set(listed.split('\n').filter((path) => path !== ''))].sort() };
}

/** The output of git; empty where there is none, as in an unpacked archive. */
function git(...words: readonly string[]): string {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Says which tests run for which change; its last line says which do not. */
export function reported(
  { chosen, left, wholeOnly, changedTests, unknown }: Selection,
  { base, changed, tests, timings }: { base: string; changed: number; tests: number; timings: Timings },
): readonly string[] {
  const seconds = (of: readonly string[]): string => `${Math.round(of.reduce((sum, test) => sum + timings.of(test), 0) / 1000)} s`;
  const out = [
    ...(left.length > 0 ? [`${left.length} more test files that the change reaches (${seconds(left)}), farther away`] : []),
    ...(wholeOnly.length > 0
      ? [`${wholeOnly.length} that only the whole has (${seconds(wholeOnly)}): orders, seeds, browsers, copies, searches`]
      : []),
    `${tests - chosen.length - left.length - wholeOnly.length} that it does not reach`,
  ];
  return [
    `${changed} files differ from ${base || 'nothing known'}: ${chosen.length} of ${tests} test files run (${seconds(chosen)}), the common ones among them`,
    ...(unknown.length > 0 ? [`may change everything: ${unknown.join(', ')}`] : []),
    ...(changedTests.length > 0 ? [`have changed, and take too long: npm test -- ${changedTests.join(' ')}`] : []),
    `left out: ${out.join('; ')}. All of them: npm run test:all`,
  ];
}
