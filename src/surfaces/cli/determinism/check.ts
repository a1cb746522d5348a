/** Runs a scenario twice in this process and once in a fresh process, and compares every entry. */
import { simulate } from '../../../lab/simulation/index.ts';
import type { LoadedScenario } from '../load.ts';
import { runProgress, type Progress } from '../run/progress.ts';
import { entryLines, firstDifference, type FirstDifference, type RunOnce } from './compare.ts';

export interface Determinism {
  readonly scenario: string;
  readonly file: string;
  readonly seed: number;
  readonly digest: string;
  readonly entries: number;
  /** The first difference, and between which runs. */
  readonly difference?: FirstDifference & { readonly between: string };
}

export interface CheckOptions {
  readonly seed?: number;
  readonly runOnce?: RunOnce;
  /** Returns the trace lines of a run in a fresh process; absent: there is no such run. */
  readonly fresh?: (loaded: LoadedScenario, seed: number) => Promise<Iterable<string>>;
}

export const traced: RunOnce = (loaded, seed) => tracing(undefined)(loaded, seed);

/** Runs a scenario and returns its trace. */
export const tracing =
  (progress: Progress | undefined): RunOnce =>
  ({ scenario, plugins }, seed) => {
    const { trace, digest } = simulate(scenario, {
      seed,
      trace: true,
      with: plugins.definitions,
      ...(progress?.seen === true ? { onEntry: runProgress(progress, scenario) } : {}),
    });
    progress?.clear();
    if (trace === undefined) throw new Error('a run that was asked for its trace has none');
    return { trace, digest };
  };

export async function checkDeterminism(
  loaded: LoadedScenario,
  { seed: given, runOnce = traced, fresh }: CheckOptions,
): Promise<Determinism> {
  const { scenario, file } = loaded;
  const seed = given ?? scenario.seed;
  const first = runOnce(loaded, seed);
  const second = runOnce(loaded, seed);
  const result: Determinism = { scenario: scenario.name, file, seed, digest: first.digest, entries: first.trace.entries.length };
  const here = firstDifference(first.trace, entryLines(second.trace));
  if (here !== undefined) return { ...result, difference: { ...here, between: 'two runs in one process' } };
  const there = fresh === undefined ? undefined : firstDifference(first.trace, await fresh(loaded, seed));
  return there === undefined ? result : { ...result, difference: { ...there, between: 'a run here and one in a fresh process' } };
}
