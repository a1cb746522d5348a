/** Lines for a terminal, which wrap at its width, or for a pipe, which do not wrap. */
import { wrapLine } from '../report/index.ts';
import type { Io } from './io.ts';

/** The lines as one text; on a terminal those that are too long go on below, hanging. */
export const fitted = (lines: readonly string[], { terminal, columns }: Pick<Io, 'terminal' | 'columns'>): string =>
  `${(terminal ? lines.flatMap((line) => wrapLine(line, columns)) : lines).join('\n')}\n`;
