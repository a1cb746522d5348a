/** A bug planted in one place of the sources, which the nearest tests must detect. */
export interface Mutant {
  /** The broken property, after its module: `job/most-per-sync`. */
  readonly name: string;
  readonly file: string;
  /** Text that occurs in the file exactly once, */
  readonly from: string;
  /** and its replacement. */
  readonly to: string;
  /** The tests, if they are not beside the file. */
  readonly tests?: readonly string[];
  /** Why no test can detect it: it behaves like the original. */
  readonly equivalent?: string;
}

/** Mutants of one file. */
export const inFile = (
  file: string,
  mutants: Readonly<Record<string, readonly [from: string, to: string, rest?: Pick<Mutant, 'tests' | 'equivalent'>]>>,
): readonly Mutant[] => Object.entries(mutants).map(([name, [from, to, rest]]) => ({ name, file, from, to, ...rest }));
