/** One run as a task: what a worker thread is given, and what it answers. The same function does it in every thread. */
import { collectCoverage } from '../../../lab/coverage.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { livenessIn, simulate, type Run } from '../../../lab/simulation/index.ts';
import type { Own } from '../../plugins/index.ts';
import { summarize, type RunSummary } from '../../report/index.ts';

export interface Task {
  readonly scenario: Scenario;
  readonly file: string;
  readonly seed: number;
  readonly flags?: string;
  readonly own: Own;
  /** Notes what the run has tried. */
  readonly coverage?: boolean;
  /** Where it does not come to rest: whether it gets nowhere is looked at, in a second run. */
  readonly liveness?: boolean;
}

/** Says which run it was when an assumption breaks inside one. */
export function during<T>({ scenario, file, seed }: Task, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`in ${scenario.name} (${file}, seed ${seed}): ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** What is kept of a run, with what it got nowhere by. */
export function summaryOf(run: Run, { file, flags, own, liveness: asked }: Task): RunSummary {
  const liveness = asked === true ? livenessIn(run, own.definitions) : undefined;
  return { ...summarize(run, file, flags), ...(liveness === undefined ? {} : { liveness }) };
}

/** Performs it, by the machine's clock. */
export function timed(task: Task): { readonly summary: RunSummary; readonly tookMs: number } {
  const startedAt = performance.now();
  const summary = perform(task);
  return { summary, tookMs: performance.now() - startedAt };
}

/** Runs without keeping a trace, so that the size of a run costs no memory. */
const perform = (task: Task): RunSummary =>
  during(task, () => {
    const { scenario, seed, own } = task;
    if (task.coverage !== true) return summaryOf(simulate(scenario, { seed, with: own.definitions }), task);
    const collector = collectCoverage();
    const run = simulate(scenario, { seed, with: own.definitions, onEntry: collector.observe });
    return { ...summaryOf(run, task), coverage: collector.coverage() };
  });
