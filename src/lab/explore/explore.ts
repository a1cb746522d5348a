/** Searches random scenarios for one that fails, shrinks it, and returns it as a scenario file, which reproduces the failure by itself. */
import { plural } from '../../schema/values/index.ts';
import fc from 'fast-check';
import { faultsWith, NO_DEFINITIONS } from '../definitions/index.ts';
import type { Fault } from '../faults/index.ts';
import { formatScenario, type Scenario } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';

/** Options of a search: its seed, the number of runs, the definition of a failure. */
export interface ExploreOptions {
  /** The seed of the search; the same seed generates the same scenarios. */
  readonly seed: number;
  readonly runs: number;
  /** Options of each run, for planted bugs. */
  readonly simulate?: SimulateOptions;
  /** Whether a run failed; default: it has failures, or `wrong` returns lines. */
  readonly broken?: (run: Run) => boolean;
  /** Returns what is wrong with a run besides its failures, one line each. It may continue the run's cluster; the run has no digest yet. */
  readonly wrong?: (run: Run) => readonly string[];
}

/** A finding of a search, shrunk. */
export interface Finding {
  readonly scenario: Scenario;
  readonly run: Run;
  /** The failures, one line each. */
  readonly reasons: readonly string[];
  /** The scenario as text, with the failures in a comment. */
  readonly file: string;
  readonly shrinks: number;
  readonly seed: number;
}

/** The statistics of a search without a finding. */
export interface Searched {
  readonly finding?: undefined;
  readonly runs: number;
  readonly seed: number;
  /** How often each invariant was exercised and held, over all runs. */
  readonly exercised: ReadonlyMap<string, number>;
}

/** The result of a search: a finding, or the statistics without one. */
export type Exploration = { readonly finding: Finding } | Searched;

/** Runs scenarios until one fails or the number of runs is reached. */
export function explore(scenarios: fc.Arbitrary<Scenario>, options: ExploreOptions): Exploration {
  const wrong = options.wrong ?? (() => []);
  // `wrong` is not called for a run with failures.
  const broken = options.broken ?? ((run) => run.failures.length > 0 || wrong(run).length > 0);
  const faults = faultsWith(options.simulate?.with ?? NO_DEFINITIONS);
  const runOf = (scenario: Scenario): Run => simulate(scenario, options.simulate);
  // A digest takes a sixth of a run's time, and only a caller's own `broken` can read it before a finding.
  const judged: SimulateOptions = options.broken === undefined ? { ...options.simulate, digest: false } : { ...options.simulate };
  const exercised = new Map<string, number>();
  // An error inside the simulator is reported with its scenario.
  const holds = (scenario: Scenario): boolean => {
    let run: Run;
    try {
      run = simulate(scenario, judged);
    } catch {
      return false;
    }
    for (const { name, exercised: seen } of run.invariants) exercised.set(name, (exercised.get(name) ?? 0) + seen);
    return !broken(run);
  };
  const details = fc.check(fc.property(scenarios, holds), { seed: options.seed, numRuns: options.runs });
  const found = details.counterexample?.[0];
  if (!details.failed || found === undefined) return { runs: details.numRuns, seed: options.seed, exercised };
  let run: Run;
  try {
    run = runOf(found);
  } catch (error) {
    throw new Error(`the simulator itself failed on this scenario:\n${fileOf(found, 'The simulator itself failed on this.', faults)}`, {
      cause: error,
    });
  }
  const reasons = run.failures.length > 0 ? failuresOf(run) : wrong(run);
  const comment = `Found by a property (search seed ${options.seed}, run ${details.numRuns}, shrunk ${details.numShrinks} times). What broke:\n${reasons.map((line) => `  ${line}`).join('\n')}`;
  return {
    finding: { scenario: found, run, reasons, file: fileOf(found, comment, faults), shrinks: details.numShrinks, seed: options.seed },
  };
}

const fileOf = (scenario: Scenario, comment: string, faults: readonly Fault[]): string => formatScenario(scenario, { faults, comment });

const failuresOf = ({ failures }: Run): readonly string[] =>
  failures.map(({ message, detail, invariant }) =>
    [`${invariant === undefined ? '' : `${invariant}: `}${message}`, ...detail].join('\n    '),
  );

/** Returns the message of a failing property: the failures, and the command that reproduces them. */
export const findingText = (finding: Finding, path: string): string =>
  [
    `a property broke (search seed ${finding.seed}); shrunk ${plural(finding.shrinks, 'time')} to ${plural(finding.scenario.steps.length, 'step')}`,
    ...finding.reasons.map((line) => `  ${line}`),
    `see it again: npx orchsim run ${path} -v`,
  ].join('\n');
