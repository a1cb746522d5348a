/** A bug planted in one place of the sources, which the nearest tests must detect. */
export interface Mutant {
  readonly file: string;
  /** The kind of change, as StrykerJS names it. */
  readonly mutator: string;
  /** The line, from 1. */
  readonly line: number;
  /** Offsets of the text that is replaced, */
  readonly from: number;
  readonly to: number;
  /** and its replacement. */
  readonly replacement: string;
}

/** Where a mutant is, and what it makes of which text, on one line. */
export function described({ file, line, mutator, from, to, replacement }: Mutant, text: string): string {
  const short = (code: string): string => {
    const joined = code.replaceAll(/\s+/g, ' ');
    return joined.length > 60 ? `${joined.slice(0, 59)}…` : joined;
  };
  return `${file}:${line} ${mutator}: ${short(text.slice(from, to))} → ${short(replacement)}`;
}

/** The text of a file with its mutant. */
export const planted = ({ from, to, replacement }: Mutant, text: string): string => text.slice(0, from) + replacement + text.slice(to);
