/** Runs a recorded case on the simulator. */
import { parseScenario } from '../../lab/scenario/index.ts';
import { formatProblem } from '../../schema/yaml/index.ts';
import type { ProcessSpec } from '../../controlplane/runtime/index.ts';
import { simulate } from '../../lab/simulation/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import type { TraceLine } from './recording.ts';
import type { CaseRun } from './suite.ts';
import type { ScenarioDocument } from './to-scenario.ts';

/** The agents of the recordings stood in for real ones, and their clients kept to no rate. */
const unpaced = (process: ProcessSpec): ProcessSpec => {
  if (!process.name.startsWith('agent/')) return process;
  const { requestRate: _requests, eventRate: _events, ...rest } = process;
  return rest;
};

/** Every change of an object since the start, and the steps that went otherwise than recorded. Throws when the scenario is not one. */
export function runCase(document: ScenarioDocument): CaseRun {
  const parsed = parseScenario(JSON.stringify(document), { ...vocabulary(), file: `${document.metadata.name}.json` });
  if ('problems' in parsed) throw new Error(parsed.problems.map(formatProblem).join('\n'));
  const { scenario } = parsed;
  const lines: TraceLine[] = [];
  // Invariants are the sweeps' business: a recording is judged by what was recorded.
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
