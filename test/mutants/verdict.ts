/** The result of the tests for a mutant, and the summary by layer. */
import pc from 'picocolors';

/** The result of the tests on the copy. */
export type Answer =
  /** All tests passed. */
  | { readonly says: 'passed' }
  /** A test failed: file and name; or the tests did not end. */
  | { readonly says: 'failed'; readonly by: string }
  /** No verdict, with the reason: no test ran, or the compiler refuses the mutant. */
  | { readonly says: 'nothing'; readonly why: string };

export interface Verdict {
  /** Where the mutant is, and what it changes. */
  readonly name: string;
  readonly file: string;
  readonly answer: Answer;
  readonly seconds: number;
}

const WORDS = { failed: pc.green('killed  '), passed: pc.red('survived'), nothing: pc.dim('none    ') } as const;

/** Returns a verdict on one line. */
export const reported = ({ name, answer, seconds }: Verdict): string =>
  `${WORDS[answer.says]} ${name}  ${seconds.toFixed(0)} s${answer.says === 'failed' ? `  ${answer.by}` : answer.says === 'nothing' ? `  ${answer.why}` : ''}`;

/** Returns the number of killed mutants among those with a verdict, by layer and in total. */
export function summary(verdicts: readonly Verdict[]): readonly string[] {
  const layers = [...new Set(verdicts.map(layerOf))].sort();
  const lines = layers.map((layer) =>
    lineOf(
      layer,
      verdicts.filter((verdict) => layerOf(verdict) === layer),
    ),
  );
  return [...lines, lineOf('all', verdicts)];
}

const layerOf = ({ file }: Verdict): string => file.split('/')[1] ?? file;

function lineOf(name: string, verdicts: readonly Verdict[]): string {
  const count = (says: Answer['says']): number => verdicts.filter(({ answer }) => answer.says === says).length;
  const [killed, judged, none] = [count('failed'), count('failed') + count('passed'), count('nothing')];
  const share = judged === 0 ? '' : ` (${Math.floor((100 * killed) / judged)} %)`;
  return `${name.padEnd(14)} ${killed} of ${judged} killed${share}${none === 0 ? '' : `; ${none} without a verdict`}`;
}

/** 0 if so many of a hundred are killed; 1: fewer; 2: there is no verdict at all. */
export function exitCodeOf(verdicts: readonly Verdict[], percent: number): number {
  const judged = verdicts.filter(({ answer }) => answer.says !== 'nothing');
  const killed = judged.filter(({ answer }) => answer.says === 'failed').length;
  return judged.length === 0 ? 2 : killed * 100 >= percent * judged.length ? 0 : 1;
}
