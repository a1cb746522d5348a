/** What a command may write to a terminal. */
import { printable, sealed, wrapLine } from '../report/index.ts';
import type { Io } from './io.ts';

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
