/** The environment of a command: two output streams, whether they are a terminal, a folder. Tests pass their own and read the output. */
import type { Readable } from 'node:stream';
import type { PluginOptions } from '../plugins/index.ts';
import { type Palette, wrapLine, printable, sealed } from '../report/index.ts';

export interface Io {
  /** Writes results to standard output. Control characters are shown as escapes, unless `verbatim`. */
  out(text: string, verbatim?: 'verbatim'): void;
  /** Writes problems and progress to standard error. */
  err(text: string): void;
  /** Whether standard output is a terminal: only then prompts are shown. */
  readonly terminal: boolean;
  /** Width of the terminal on standard error, for progress, wherever the results go; absent: as `terminal` says. */
  readonly errorColumns?: number;
  readonly columns: number;
  readonly rows?: number;
  readonly palette: Palette;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly plugins?: PluginOptions;
  /** Standard input as a stream, for a command that reads it line by line. */
  input(): Readable;
  /** Reads all of standard input, for a file named `-`; absent: there is none. Throws errors of the system. */
  stdin?(): string;
  /** Stops a command that runs until it is stopped. */
  readonly stop?: AbortSignal;
  /** After this call an interruption (Ctrl-C) aborts this signal; a second one ends the process. Absent: no interruptions. */
  interruption?(): AbortSignal;
}

/** The lines as one text; on a terminal those that are too long go on below, hanging. */
export const fitted = (lines: readonly string[], { terminal, columns }: Pick<Io, 'terminal' | 'columns'>): string =>
  `${(terminal ? lines.flatMap((line) => wrapLine(line, columns)) : lines).join('\n')}\n`;

export const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Sanitises all output of a command. */
export const forTerminal = (io: Io): Io => ({
  ...io,
  palette: sealed(io.palette),
  out: (text, verbatim) => io.out(verbatim === undefined ? printable(text) : text),
  err: (text) => io.err(hung(printable(text), io.errorColumns)),
});

/** Whole lines that are too long for a terminal go on below, hanging; what is drawn over itself has its own width. */
const hung = (text: string, columns: number | undefined): string =>
  columns === undefined || !text.endsWith('\n') ? text : text.replaceAll(/[^\n]+/g, (line) => wrapLine(line, columns).join('\n'));
