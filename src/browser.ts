/**
 * orchsim in a browser: one self-contained module that reads scenarios, runs them and steps through their traces. A run has the same digest
 * as in Node.
 */
import { OrchsimError } from './engine/error.ts';
import { formatProblem } from './lab/scenario/index.ts';
import { simulate } from './lab/simulation/index.ts';
import { readScenarios } from './lab/vocabulary.ts';

export { formatProblem, simulate, readScenarios };
export {
  causesOf,
  changesBetween,
  cursorAt,
  diffValues,
  formatLine,
  formatSince,
  lineParts,
  readTrace,
  storyOf,
  whyOf,
  writesOf,
} from './lab/trace/index.ts';
export type { Entry, Trace } from './lab/trace/index.ts';
export type { Run, SimulateOptions } from './lab/simulation/index.ts';
export type { Problem, Scenario } from './lab/scenario/index.ts';

/** Returns the digest of each scenario of a text; throws with every problem of a malformed one. */
export function digestsOf(
  text: string,
  seed?: number,
): readonly { readonly scenario: string; readonly digest: string; readonly verdict: string }[] {
  const read = readScenarios(text);
  if ('problems' in read) throw new OrchsimError('ORCH_SCENARIO', read.problems.map(formatProblem).join('\n'));
  return read.scenarios.map((scenario) => {
    const { digest, verdict } = simulate(scenario, seed === undefined ? {} : { seed });
    return { scenario: scenario.name, digest, verdict };
  });
}
