/** Runs a recorded case on the simulator. */
import { parseScenario } from '../../src/lab/scenario/index.ts';
import { formatProblem } from '../../src/schema/yaml/index.ts';
import type { ProcessSpec } from '../../src/controlplane/runtime/index.ts';
import { simulate } from '../../src/lab/simulation/index.ts';
import { vocabulary } from '../../src/lab/vocabulary.ts';
import type { TraceLine } from './recording.ts';
import type { CaseRun } from './suite.ts';
import type { ScenarioDocument } from './to-scenario.ts';

/** The agents of the recordings were stand-ins, and their clients had no rate limit. */
const unpaced = (process: ProcessSpec): ProcessSpec => {
  if (!process.name.startsWith('agent/')) return process;
  const { requestRate: _requests, eventRate: _events, ...rest } = process;
  return rest;
};

/**
 * Returns every change of an object since the start, and the steps whose result differs from the recording. Throws if the scenario is
 * malformed.
 */
export function runCase(document: ScenarioDocument): CaseRun {
  const parsed = parseScenario(JSON.stringify(document), { ...vocabulary(), file: `${document.metadata.name}.json` });
  if ('problems' in parsed) throw new Error(parsed.problems.map(formatProblem).join('\n'));
  const { scenario } = parsed;
  const lines: TraceLine[] = [];
  // Invariants are checked by sweeps, not here.
  const run = simulate(scenario, {
    invariants: [],
    digest: false,
    alter: unpaced,
    onObjectChange: ({ at, type, object }) => lines.push({ t: (at - scenario.startAt) / 1000, type, object }),
  });
  return {
    lines,
    failures: run.failures.map(({ sinceStartMs, message, detail }) => [`${sinceStartMs / 1000} s: ${message}`, ...detail].join(' ')),
  };
}
