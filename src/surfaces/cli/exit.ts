/** Exit codes, and the error that stands for the second. */
export const EXIT = { held: 0, broken: 1, badInput: 2, unsettled: 3, nondeterministic: 4, internal: 70, interrupted: 130 } as const;

/** What each of them says, in a few words. */
export const EXIT_MEANS: Readonly<Record<keyof typeof EXIT, string>> = {
  held: 'held',
  broken: 'something broke',
  badInput: 'bad input',
  unsettled: 'did not settle',
  nondeterministic: 'two runs of one seed differed',
  internal: 'internal',
  interrupted: 'interrupted',
};

/** What each of them says, and what to do about it. */
export const EXIT_TELLS: Readonly<Record<keyof typeof EXIT, string>> = {
  held: 'Everything held: expectations, assertions, invariants. Also the code of commands that only print something.',
  broken:
    'An expectation, an assertion or an invariant did not hold, or a step failed. The report names the step and the command that reproduces it.',
  badInput:
    'Bad input: a file, a name or an option cannot be read or does not exist. The message says what was expected; no file that was refused has run.',
  unsettled: 'A run met a limit (`spec.limits`) before it was done. The report says what repeated.',
  nondeterministic: 'Two runs of one scenario and seed differed: `check-determinism` names the first difference.',
  internal: 'orchsim broke an assumption of its own. Please report it with what it printed.',
  interrupted: 'Ctrl-C. The results until then are printed, and files of results are complete.',
};

/** Bad input: what is wrong, one line each. The command ends with exit code 2 and has done nothing. */
export class BadInput extends Error {
  readonly lines: readonly string[];
  constructor(lines: string | readonly string[]) {
    const all = typeof lines === 'string' ? [lines] : lines;
    super(all.join('\n'));
    this.name = 'BadInput';
    this.lines = all;
  }
}
