/** A bug planted in one place of the sources: what the tests beside it must notice. */
export interface Mutant {
  /** What it breaks, after the module: `job/most-per-sync`. */
  readonly name: string;
  readonly file: string;
  /** Text that is in the file exactly once, */
  readonly from: string;
  /** and what stands there instead. */
  readonly to: string;
  /** Where its tests are, if not beside the file. */
  readonly tests?: readonly string[];
  /** Why nobody could notice it: it does what the original does. */
  readonly equivalent?: string;
}

/** Mutants of one file. */
export const inFile = (
  file: string,
  mutants: Readonly<Record<string, readonly [from: string, to: string, rest?: Pick<Mutant, 'tests' | 'equivalent'>]>>,
): readonly Mutant[] => Object.entries(mutants).map(([name, [from, to, rest]]) => ({ name, file, from, to, ...rest }));
