/** What tests said of a mutant, what that comes to, and what it comes to module by module. */
import pc from 'picocolors';
import type { Mutant } from './mutant.ts';

/** What tests said of the copy as it stands. */
export type Answer =
  /** All passed. */
  | { readonly says: 'passed' }
  /** This one failed: file and name; or they never came to an end. */
  | { readonly says: 'failed'; readonly by: string }
  /** Not one of them was asked, and why: that tells nothing about a mutant. */
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

/** What became of a mutant, and by what. An error is one of the catalogue: it cannot be asked about, or is called equivalent and is not. */
export function outcomeOf({ mutant: { file, equivalent }, answer }: Verdict): readonly [outcome: Outcome, by: string] {
  if (answer.says === 'nothing') return ['error', answer.why];
  if (equivalent === undefined) return answer.says === 'failed' ? ['killed', answer.by] : ['survived', file];
  return answer.says === 'failed' ? ['error', `it is called equivalent, and noticed by ${answer.by}`] : ['the same', equivalent];
}

/** A verdict in a line. */
export function reported(verdict: Verdict): string {
  const [outcome, by] = outcomeOf(verdict);
  return `${COLOURS[outcome](outcome.padEnd(8))} ${verdict.mutant.name.padEnd(44)} ${verdict.seconds.toFixed(1).padStart(5)} s  ${by}`;
}

/** Module by module, and all together: how many were killed of those that could be. */
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

/** 2: the catalogue is to be mended; 1: one survived that is not called equivalent; 0: neither. */
export function exitCodeOf(verdicts: readonly Verdict[]): number {
  const outcomes = verdicts.map((verdict) => outcomeOf(verdict)[0]);
  return outcomes.includes('error') ? 2 : outcomes.includes('survived') ? 1 : 0;
}
