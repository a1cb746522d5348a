/** What a topic of the guide is: a file, and a line in `topics/index.ts`. */
import type { Definitions } from '../../../lab/definitions/index.ts';
import { wrapLine } from '../../report/index.ts';

export interface Topic {
  /** What it is asked for by; words are joined by a hyphen. */
  readonly name: string;
  /** One line for the list of topics. */
  readonly summary: string;
  /**
   * Its text, made from the registries where there is one, with what somebody brings along. Paragraphs are lines; what is indented by four
   * is shown as it is; tables keep to so many columns. Names stand in backticks: a test looks each of them up, and runs each command.
   */
  text(own: Definitions, columns: number): string;
}

/** Rows as an indented table of at most so many characters a line: the last column is broken between words, under itself. */
export function rows(cells: readonly (readonly string[])[], columns: number): string {
  const widths = [0];
  for (const row of cells) for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const hang = ' '.repeat(widths.reduce((sum, width) => sum + width + GAP.length, INDENT.length));
  // Where little room is left beside the names, the text goes below them.
  const below = columns - hang.length < NARROW;
  return cells
    .flatMap((row) => {
      const names = `${INDENT}${row
        .slice(0, -1)
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(GAP)}`;
      const start = below ? INDENT + INDENT : hang;
      const [first = '', ...others] = wrapLine(row.at(-1) ?? '', Math.max(columns - start.length, NARROW)).map(
        (line) => start + line.trimStart(),
      );
      return below ? [names.trimEnd(), first, ...others] : [names + GAP + first.trimStart(), ...others];
    })
    .join('\n');
}

const INDENT = '    ';
const GAP = '   ';
const NARROW = 40;

/** A text as a block that is shown as it is. */
export const block = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
