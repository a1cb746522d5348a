/** Searches random scenarios for one that breaks, shrinks it, and answers it as a scenario file. Nothing of the search is needed to see it again. */
import fc from 'fast-check';
import { faults } from '../faults/index.ts';
import { formatScenario, type Scenario } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';

export interface ExploreOptions {
  /** Seed of the search; the same seed looks at the same scenarios. */
  readonly seed: number;
  readonly runs: number;
  /** How scenarios are run: planted bugs come in here. */
  readonly simulate?: SimulateOptions;
  /** What counts as broken; default: any failure. */
  readonly broken?: (run: Run) => boolean;
}

export interface Finding {
  /** The smallest scenario found that breaks. */
  readonly scenario: Scenario;
  readonly run: Run;
  /** The same as text, with what broke in a comment. */
  readonly file: string;
  readonly shrinks: number;
  /** Seed of the search. */
  readonly seed: number;
}

export type Exploration = { readonly finding: Finding } | { readonly finding?: undefined; readonly runs: number; readonly seed: number };

/** Runs scenarios until one breaks or the runs are used up. */
export function explore(scenarios: fc.Arbitrary<Scenario>, options: ExploreOptions): Exploration {
  const broken = options.broken ?? ((run) => run.failures.length > 0);
  const runOf = (scenario: Scenario): Run => simulate(scenario, options.simulate);
  const details = fc.check(fc.property(scenarios, (scenario) => !broken(runOf(scenario))), { seed: options.seed, numRuns: options.runs });
  const found = details.counterexample?.[0];
  if (!details.failed || found === undefined) {
    if (details.errorInstance instanceof Error) throw details.errorInstance;
    return { runs: details.numRuns, seed: options.seed };
  }
  const run = runOf(found);
  const said = run.failures.map(({ message, invariant }) => `${invariant === undefined ? '' : `${invariant}: `}${message}`).join('\n');
  return { finding: { scenario: found, run, file: formatScenario(found, { faults, comment: `Found by a property (search seed ${options.seed}, ${details.numShrinks} shrinks). What broke:\n${said}` }), shrinks: details.numShrinks, seed: options.seed } };
}

/** What a failing property prints: the command that shows it again. */
export const findingText = (finding: Finding, path: string): string =>
  [`a property broke (search seed ${finding.seed}); shrunk ${finding.shrinks} times to ${finding.scenario.steps.length} steps`, ...finding.run.failures.map(({ message, invariant }) => `  ${invariant === undefined ? '' : `${invariant}: `}${message}`), `see it again: npx orchsim run ${path} -v`].join('\n');
