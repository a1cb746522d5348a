/** The result of every reader of configuration: the effective values, each with its source, and all problems at once. */

export interface Position {
  readonly line: number;
  readonly col: number;
}

/** The position of a dotted path in the file that was read, if it is known. */
export type Locate = (path: string) => Position | undefined;

export interface ConfigProblem {
  /** A dotted path of the file, or a flag with its dashes. */
  readonly path: string;
  readonly message: string;
  readonly position?: Position;
}

export type Source = 'default' | 'file' | 'flag';

/** One effective value. */
export interface EffectiveValue {
  readonly path: string;
  readonly value: unknown;
  readonly source: Source;
  /** The flag that set it, with its dashes. */
  readonly flag?: string;
  readonly position?: Position;
}

/** Collects problems; positions come from the file where known. */
export function problemsOf(locate: Locate | undefined): { readonly list: ConfigProblem[]; add(path: string, message: string): void } {
  const list: ConfigProblem[] = [];
  return {
    list,
    add(path, message) {
      const position = path.startsWith('--') ? undefined : locate?.(path);
      list.push({ path, message, ...(position === undefined ? {} : { position }) });
    },
  };
}

/** A value as messages print it. */
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** A deprecated flag that was given. */
export interface Deprecation {
  /** With its dashes. */
  readonly flag: string;
  readonly message: string;
  /** The version that removes the flag, where it is known: `1.26`, `1.24 or later`. */
  readonly removedIn?: string;
}

/** A deprecation from its text, with the version that the text contains. */
export function deprecationOf(flag: string, message: string): Deprecation {
  const removedIn = /removed in (\d[\d.]*\d(?: or later)?)/.exec(message)?.[1];
  return { flag, message, ...(removedIn === undefined ? {} : { removedIn }) };
}
