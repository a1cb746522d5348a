/** What every reader of configuration answers with: the effective values, each with its source, and what is wrong, all of it at once. */

export interface Position {
  readonly line: number;
  readonly col: number;
}

/** Where a dotted path stands in the file that was read, if that is known. */
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

/** Collects problems; the position comes from the file where it has one. */
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

/** A value as a message shows it. */
export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** A deprecated flag that was given. */
export interface Deprecation {
  /** With its dashes. */
  readonly flag: string;
  readonly message: string;
  /** The version that will not have it any more, where that is known: `1.26`, `1.24 or later`. */
  readonly removedIn?: string;
}

/** What the text of a deprecation says, with the version that stands in it. */
export function deprecationOf(flag: string, message: string): Deprecation {
  const removedIn = /removed in (\d[\d.]*\d(?: or later)?)/.exec(message)?.[1];
  return { flag, message, ...(removedIn === undefined ? {} : { removedIn }) };
}
