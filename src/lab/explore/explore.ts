/**
 * Searches random scenarios for one that breaks, shrinks it, and answers it as a scenario file. Nothing of the search is needed to see it
 * again.
 */
import fc from 'fast-check';
import { faultsWith, NO_DEFINITIONS } from '../definitions/index.ts';
import type { Fault } from '../faults/index.ts';
import { formatScenario, type Scenario } from '../scenario/index.ts';
import { simulate, type Run, type SimulateOptions } from '../simulation/index.ts';

/** How a search is made: from which seed, how many runs, what counts as broken. */
export interface ExploreOptions {
  /** Seed of the search; the same seed looks at the same scenarios. */
  readonly seed: number;
  readonly runs: number;
  /** How scenarios are run: planted bugs come in here. */
  readonly simulate?: SimulateOptions;
  /** What counts as broken; default: any failure, and whatever `wrong` says. */
  readonly broken?: (run: Run) => boolean;
  /** What is wrong with a run besides its failures, a line each. It may go on with the run's cluster; the run has no fingerprint yet. */
  readonly wrong?: (run: Run) => readonly string[];
}

/** What a search has found, made as small as it goes. */
export interface Finding {
  /** The smallest scenario found that breaks. */
  readonly scenario: Scenario;
  readonly run: Run;
  /** What broke, a line each. */
  readonly reasons: readonly string[];
  /** The scenario as text, with what broke in a comment. */
  readonly file: string;
  readonly shrinks: number;
  /** Seed of the search. */
  readonly seed: number;
}

/** What a search without a finding has seen. */
export interface Searched {
  readonly finding?: undefined;
  readonly runs: number;
  readonly seed: number;
  /** How often each invariant was exercised and held, in all runs together. */
  readonly exercised: ReadonlyMap<string, number>;
}

/** What came of a search: a finding, or what was seen without one. */
export type Exploration = { readonly finding: Finding } | Searched;

/** Runs scenarios until one breaks or the runs are used up. */
export function explore(scenarios: fc.Arbitrary<Scenario>, options: ExploreOptions): Exploration {
  const wrong = options.wrong ?? (() => []);
  // What failed once is not asked further.
  const broken = options.broken ?? ((run) => run.failures.length > 0 || wrong(run).length > 0);
  const faults = faultsWith(options.simulate?.with ?? NO_DEFINITIONS);
  const runOf = (scenario: Scenario): Run => simulate(scenario, options.simulate);
  // A fingerprint is a sixth of a run, and before something is found only a judge of the caller's own could look at it.
  const judged: SimulateOptions = options.broken === undefined ? { ...options.simulate, digest: false } : { ...options.simulate };
  const exercised = new Map<string, number>();
  // A broken assumption inside the simulator is an error of its own, and its scenario worth no less.
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

const several = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What a failing property prints: what broke, and the one command that shows it again. */
export const findingText = (finding: Finding, path: string): string =>
  [
    `a property broke (search seed ${finding.seed}); shrunk ${several(finding.shrinks, 'time')} to ${several(finding.scenario.steps.length, 'step')}`,
    ...finding.reasons.map((line) => `  ${line}`),
    `see it again: npx orchsim run ${path} -v`,
  ].join('\n');
