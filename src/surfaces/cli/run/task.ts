/** One run as a task: the input and the result of a worker thread. The same function runs in every thread. */
import { collectCoverage } from '../../../lab/coverage.ts';
import type { Scenario } from '../../../lab/scenario/index.ts';
import { livenessIn, simulate, type Run } from '../../../lab/simulation/index.ts';
import type { Plugins } from '../../plugins/index.ts';
import { summarize, type RunSummary, type Known } from '../../report/index.ts';
import { readFileSync } from 'node:fs';
import { faultsWith, joinDefinitions } from '../../../lab/definitions/index.ts';
import { builtProgram } from '../install.ts';
import type { LoadedScenario } from '../load.ts';

export interface Task {
  readonly scenario: Scenario;
  readonly file: string;
  readonly seed: number;
  readonly flags?: string;
  readonly plugins: Plugins;
  readonly coverage?: boolean;
  /** Searches for a livelock if the run does not settle, in a second run. */
  readonly liveness?: boolean;
}

/** Adds the scenario and its seed to an error. */
export function during<T>({ scenario, file, seed }: Task, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`in ${scenario.name} (${file}, seed ${seed}): ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Returns the summary of a run, with its livelock if there is one. */
export function summaryOf(run: Run, { file, flags, plugins, liveness: asked }: Task): RunSummary {
  const liveness = asked === true ? livenessIn(run, plugins.definitions) : undefined;
  return { ...summarize(run, file, flags), ...(liveness === undefined ? {} : { liveness }) };
}

/** Returns a function that returns the milliseconds of real time since. `performance` would load a part of Node for it. */
export function stopwatch(): () => number {
  const startedAt = process.hrtime.bigint();
  return () => Number(process.hrtime.bigint() - startedAt) / 1e6;
}

/** `tookMs`: milliseconds of real time. */
export function timed(task: Task) {
  const elapsed = stopwatch();
  const summary = perform(task);
  return { summary, tookMs: elapsed() };
}

/** Runs without a trace, so that memory does not grow with the length of the run. */
const perform = (task: Task): RunSummary =>
  during(task, () => {
    const { scenario, seed, plugins } = task;
    if (task.coverage !== true) return summaryOf(simulate(scenario, { seed, with: plugins.definitions }), task);
    const collector = collectCoverage();
    const run = simulate(scenario, { seed, with: plugins.definitions, onEntry: collector.observe });
    return { ...summaryOf(run, task), coverage: collector.coverage() };
  });

export function knownTo(chosen: readonly LoadedScenario[]): Known {
  const definitions = joinDefinitions([...new Set(chosen.map(({ plugins }) => plugins.definitions))]);
  const reasons = JSON.parse(readFileSync(builtProgram('branches.json'), 'utf8')) as Known['reasons'];
  return { faults: faultsWith(definitions).map(({ name }) => name), reasons };
}
