/** The functions of the library, with checked arguments. Each throws an OrchsimError with ORCH_ARGUMENT for a wrong argument. */
import { OrchsimError } from '../../engine/error.ts';
import { type Cluster, type ClusterOptions, createCluster as newCluster } from '../../controlplane/cluster.ts';
import { type Run, simulate as runScenario } from '../../lab/simulation/index.ts';
import { formatProblem as problemLine, formatScenario as scenarioText } from '../../lab/scenario/index.ts';
import type { Problem, Scenario } from '../../lab/scenario/index.ts';
import { search as searchScenario } from '../../lab/search/index.ts';
import { readScenarios as readText, type ReadOptions } from '../../lab/vocabulary.ts';
import { describeFailures as failuresOf } from '../report/index.ts';
import { anything, checked, having, listOf, optional, options, refuse, text } from './check.ts';
import { clusterOptions, readOptions, runArgument, scenarioArgument, searchOptions, simulateOptions } from './options.ts';

/**
 * Reads the scenarios of a YAML text. Returns them ready to run, or every problem with its place; `formatProblem` makes a line of one.
 *
 * @param with_ `file` names the text in messages; `with` supplies definitions of a user; `readFile` resolves `{ file: path }`.
 */
export function readScenarios(
  yaml: string,
  with_?: ReadOptions,
): { readonly scenarios: readonly Scenario[] } | { readonly problems: readonly Problem[] } {
  refuse('readScenarios', text(yaml, 'text'), readOptions(with_, 'options'));
  return readText(yaml, with_);
}

/** Returns a problem of a scenario file as a line: file, line, column, path, what was expected and what was found. */
export const formatProblem = checked('formatProblem', problemLine, {
  problem: having(['path', 'expected'], 'a problem (readScenarios returns them)'),
});

/** Returns a scenario as YAML that reads back as the same scenario. */
export const formatScenario = checked('formatScenario', scenarioText, {
  scenario: having(['name', 'steps'], 'a scenario'),
  options: options({ faults: listOf(anything), comment: text }),
});

/**
 * Runs a scenario to its end, in virtual time. Returns the run: verdict, failures, digest, the cluster at the end, and with `trace: true`
 * every trace entry. A scenario cannot make this function throw.
 */
export const simulate = checked('simulate', runScenario, { scenario: scenarioArgument, options: simulateOptions });

/**
 * Searches for faults that break a scenario. Returns the findings, each reduced to the fewest faults, or why the scenario cannot be
 * searched (`unfit`). The result depends only on the seed and the number of runs.
 */
export const search = checked('search', searchScenario, { scenario: scenarioArgument, options: searchOptions });

/**
 * Returns what went wrong in a run, in words; empty when the run held. A run with a trace includes the causes. `file` is the path of the
 * scenario, for the command that reproduces the run.
 */
export const describeFailures = checked('describeFailures', failuresOf, { run: runArgument, file: optional(text) });

/**
 * Returns if the run held.
 * @throws OrchsimError ORCH_NOT_HELD otherwise, with everything that is known; the run is its `cause`
 */
export function assertHeld(run: Run, file?: string): void {
  refuse('assertHeld', runArgument(run, 'run'), optional(text)(file, 'file'));
  if (run.verdict === 'held') return;
  throw new OrchsimError('ORCH_NOT_HELD', `${run.scenario.name} (seed ${run.seed}) did not hold\n${failuresOf(run, file)}`, run);
}

/**
 * Creates a cluster that the caller drives: `request` sends a request, `runUntil` advances the virtual clock. Durations are milliseconds.
 */
export function createCluster(how?: ClusterOptions): Cluster {
  refuse('createCluster', clusterOptions(how, 'options'));
  return newCluster(how);
}
