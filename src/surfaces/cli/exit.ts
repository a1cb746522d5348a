/** Exit codes, as the house fixes them, and the error that stands for the second. */
export const EXIT = { held: 0, broken: 1, badInput: 2, unsettled: 3, nondeterministic: 4, internal: 70, interrupted: 130 } as const;

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
