/** The result of the tests for a mutant, its verdict, and the summary by module. */
import pc from 'picocolors';
import type { Mutant } from './mutant.ts';

/** The result of the tests on the copy. */
export type Answer =
  /** All tests passed. */
  | { readonly says: 'passed' }
  /** A test failed: file and name; or the tests did not end. */
  | { readonly says: 'failed'; readonly by: string }
  /** No test ran, with the reason: this gives no verdict. */
  | { readonly says: 'nothing'; readonly why: string };

export interface Verdict {
  readonly mutant: Mutant;
  readonly answer: Answer;
  readonly seconds: number;
}

type Outcome = 'killed' | 'survived' | 'the same' | 'error';

const COLOURS: Readonly<Record<Outcome, (word: string) => string>> = {
  killed: pc.green,
  survived: pc.red,
  'the same': pc.dim,
  error: pc.red,
};

/**
 * Returns the verdict on a mutant and its reason. An error is one of the catalogue: the mutant cannot be tested, or is marked equivalent
 * and is not.
 */
export function outcomeOf({ mutant: { file, equivalent }, answer }: Verdict): readonly [outcome: Outcome, by: string] {
  if (answer.says === 'nothing') return ['error', answer.why];
  if (equivalent === undefined) return answer.says === 'failed' ? ['killed', answer.by] : ['survived', file];
  return answer.says === 'failed' ? ['error', `it is called equivalent, and noticed by ${answer.by}`] : ['the same', equivalent];
}

/** Prints a verdict on one line. */
export function reported(verdict: Verdict): string {
  const [outcome, by] = outcomeOf(verdict);
  return `${COLOURS[outcome](outcome.padEnd(8))} ${verdict.mutant.name.padEnd(44)} ${verdict.seconds.toFixed(1).padStart(5)} s  ${by}`;
}

/** The number of killed mutants among those that can be killed, by module and in total. */
export function summary(verdicts: readonly Verdict[]): readonly string[] {
  const modules = [...new Set(verdicts.map(({ mutant }) => moduleOf(mutant)))];
  const lines = modules.map((module) =>
    lineOf(
      module,
      verdicts.filter(({ mutant }) => moduleOf(mutant) === module),
    ),
  );
  return [...lines, lineOf('all', verdicts)];
}

export const moduleOf = ({ name }: Mutant): string => name.slice(0, name.indexOf('/'));

function lineOf(module: string, verdicts: readonly Verdict[]): string {
  const counts = new Map<Outcome, number>();
  for (const [outcome] of verdicts.map(outcomeOf)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const { killed, survived, same, errors } = {
    killed: counts.get('killed') ?? 0,
    survived: counts.get('survived') ?? 0,
    same: counts.get('the same') ?? 0,
    errors: counts.get('error') ?? 0,
  };
  const judged = killed + survived;
  const share = judged === 0 ? '' : ` (${Math.floor((100 * killed) / judged)} %)`;
  const rest = [...(same > 0 ? [`${same} do what the original does`] : []), ...(errors > 0 ? [`${errors} could not be judged`] : [])];
  return [`${module.padEnd(20)} ${killed} of ${judged} killed${share}`, ...rest].join('; ');
}

/** 2: the catalogue has an error; 1: a mutant survived that is not marked equivalent; 0: neither. */
export function exitCodeOf(verdicts: readonly Verdict[]): number {
  const outcomes = verdicts.map((verdict) => outcomeOf(verdict)[0]);
  return outcomes.includes('error') ? 2 : outcomes.includes('survived') ? 1 : 0;
}
