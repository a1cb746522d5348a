/** Small scenarios as texts in tests. */
import { formatProblem, type Scenario } from '../../src/lab/scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../../src/lab/simulation/index.ts';
import { readScenarios } from '../../src/lab/vocabulary.ts';

/** Returns the scenario of a text, which must have exactly one and no problem. */
export function scenarioIn(text: string): Scenario {
  const read = readScenarios(text);
  if ('problems' in read) throw new Error(read.problems.map(formatProblem).join('\n'));
  const [scenario, ...others] = read.scenarios;
  if (scenario === undefined || others.length > 0) throw new Error(`expected one scenario, found ${read.scenarios.length}`);
  return scenario;
}

/** Reads a scenario and runs it. */
export const runScenario = (text: string, options: SimulateOptions = {}): Run => simulate(scenarioIn(text), options);
