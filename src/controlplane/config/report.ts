/** The result of every reader of configuration: the effective values, each with its source, and all problems at once. */
import { didYouMean } from '../../schema/values/index.ts';

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

export const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/** The problem with a value that is none of those that its setting may have. */
export const choiceProblem = (setting: string, value: string, among: readonly string[]): string =>
  `${setting} must be one of ${among.map(show).join(', ')}, found ${show(value)}${didYouMean(value, among)}`;

export interface Deprecation {
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

export interface Listener {
  readonly name: string;
  /** Absent: the port is closed. */
  readonly address?: string;
  readonly protocol: 'http' | 'https';
  /** What the listener serves, or why it is closed. */
  readonly says: string;
}

/** A method of authentication or authorization, its setting, and the reason. */
export interface AccessLine {
  readonly method: string;
  readonly is: string;
  readonly why: string;
}

export interface Outline {
  readonly listeners: readonly Listener[];
  readonly authentication: readonly AccessLine[];
  readonly authorization: readonly AccessLine[];
}

/** What the readers of a process's files and flags return. There is always a configuration, also where the input is invalid. */
export interface ConfigResult<C> {
  readonly config: C;
  readonly gates: Readonly<Record<string, boolean>>;
  /** Every value of the file object by path, then the process's own flags by `--name`. */
  readonly values: readonly EffectiveValue[];
  readonly outline: Outline;
  readonly deprecations: readonly Deprecation[];
  readonly warnings: readonly ConfigProblem[];
  readonly errors: readonly ConfigProblem[];
}
