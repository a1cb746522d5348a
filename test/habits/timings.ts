/**
 * How long each test file took when it last ran here. The order of files and the choice of `npm test` depend on it. A new clone has the
 * times of `test/timings.json`, which `UPDATE_TIMINGS=1 npm run test:all` writes.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const HERE = join(root, '.orchsim/timings.json');
const COMMITTED = join(root, 'test/timings.json');
/** Quicker files are all alike. */
const WORTH_RECORDING_MS = 500;

/** Milliseconds by test file, from the root. */
export type Recorded = Readonly<Record<string, number>>;

export interface Timings {
  /** Milliseconds; a file that nothing is known of counts as quick. */
  of(test: string): number;
}

export const timingsOf = (...records: readonly Recorded[]): Timings => ({
  of: (test) => records.find((record) => record[test] !== undefined)?.[test] ?? WORTH_RECORDING_MS / 2,
});

/** The timings of the last run, or else the committed ones. */
export const lastTimings = (): Timings => timingsOf(read(HERE), read(COMMITTED));

/** Keeps the timings of a run beside those of files that did not run. */
export function keepTimings(run: Recorded, committed: boolean): void {
  write(HERE, { ...read(HERE), ...run });
  if (committed) write(COMMITTED, rounded(run));
}

/** The timings worth committing, the longest first, to a tenth of a second: so that their diff can be read. */
export const rounded = (run: Recorded): Recorded =>
  Object.fromEntries(
    Object.entries(run)
      .map(([test, ms]) => [test, Math.round(ms / 100) * 100] as const)
      .filter(([, ms]) => ms >= WORTH_RECORDING_MS)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)),
  );

function read(path: string): Recorded {
  if (!existsSync(path)) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Recorded;
  } catch {
    // Half a file of a run that was interrupted: the order of files is no reason to fail.
    return {};
  }
}

function write(path: string, timings: Recorded): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.unfinished`, `${JSON.stringify(timings, undefined, 2)}\n`);
  renameSync(`${path}.unfinished`, path);
}
