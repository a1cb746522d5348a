/** Exit codes, and the error class of code 2. */
import type { Verdict } from '../../lab/simulation/index.ts';

export const EXIT = { held: 0, broken: 1, badInput: 2, unsettled: 3, nondeterministic: 4, internal: 70, interrupted: 130 } as const;

export const EXIT_MEANS: Readonly<Record<keyof typeof EXIT, string>> = {
  held: 'held',
  broken: 'something broke',
  badInput: 'bad input',
  unsettled: 'did not settle',
  nondeterministic: 'two runs of one seed differed',
  internal: 'internal',
  interrupted: 'interrupted',
};

export const EXIT_TEXTS: Readonly<Record<keyof typeof EXIT, string>> = {
  held: 'Everything held: expectations, assertions, invariants. Also the code of commands that only print something.',
  broken:
    'An expectation, an assertion or an invariant did not hold, or a step failed. The report names the step and the command that reproduces it.',
  badInput:
    'Bad input: a file, a name or an option cannot be read or does not exist. The message says what was expected; no file that was refused has run.',
  unsettled: 'A run met a limit (`spec.limits`) before it was done. The report says what repeated.',
  nondeterministic: 'Two runs of one scenario and seed differed: `check-determinism` names the first difference.',
  internal: 'An internal error of orchsim. Please report it with its output.',
  interrupted: 'Ctrl-C. The results until then are printed, and files of results are complete.',
};

/** Bad input: the problems, a line each. The command ends with exit code 2 and has had no effect. */
export class BadInput extends Error {
  readonly lines: readonly string[];
  constructor(lines: string | readonly string[]) {
    const all = typeof lines === 'string' ? [lines] : lines;
    super(all.join('\n'));
    this.name = 'BadInput';
    this.lines = all;
  }
}

export const exitCodeOf = (verdicts: readonly Verdict[]): number =>
  verdicts.includes('broken') ? EXIT.broken : verdicts.includes('unsettled') ? EXIT.unsettled : EXIT.held;

/** `; did you mean x?` at the end of an error; empty if nothing is near. */
export const suggestion = (near: string | undefined): string => (near === undefined ? '' : `; did you mean ${near}?`);
