/** The recorded results of `npm run measures -- --only bugs --record`, from which the guide has its table. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { BUGS } from './registry.ts';

/** What a search found of a bug. */
export interface Result {
  readonly seed: number;
  /** The limit of runs. */
  readonly runs: number;
  /** The first run that found it; absent: none did. */
  readonly foundIn?: number;
  /** The number of faults that were left. */
  readonly choices?: number;
  /** The runs of the mended controller, and the causes that they met. */
  readonly mendedRuns: number;
  readonly alarms: number;
}

export type Results = Readonly<Record<string, Result>>;

const FILE = new URL('results.json', import.meta.url);

export const readResults = (): Results => (existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results) : {});

/** Adds results to those recorded; bugs that are no longer in the registry are dropped. */
export function recordResults(results: Results): void {
  const all = { ...readResults(), ...results };
  const kept = BUGS.flatMap(({ name }) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  writeFileSync(FILE, `{\n${kept.map(([name, result]) => `  ${JSON.stringify(name)}: ${JSON.stringify(result)}`).join(',\n')}\n}\n`);
}

/** The sum of all results, in one sentence. */
export function resultsText(results: Results): string {
  const all = Object.values(results);
  const runs = all.flatMap(({ foundIn }) => (foundIn === undefined ? [] : [foundIn])).sort((a, b) => a - b);
  const quiet = all.filter(({ alarms }) => alarms === 0).length;
  const limits = [...new Set(all.map((each) => each.runs))].join(', ');
  return `${runs.length} of ${all.length} are found within ${limits} runs, the median in run ${runs[(runs.length - 1) >> 1] ?? '-'}; ${quiet} of ${all.length} mended controllers are quiet.`;
}
