/** Wraps lines between words. */
import { widthOf } from './width.ts';

/** The bar of a quotation, coloured or not, with its indentation. Continuation lines repeat it. */
const BAR = /^\s*(?:\u001B\[\d+m)*│(?:\u001B\[\d+m)* /;
const HANG = '    ';

/**
 * Wraps a line at `columns` characters. Continuation lines are indented, or repeat the bar of a quotation; `hanging` replaces that prefix.
 * A word that is longer than the line is not broken.
 */
export function wrapLine(line: string, columns: number, hanging?: string): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const bar = BAR.exec(line)?.[0];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const start = bar ?? indent;
  const hang = hanging ?? bar ?? (indent.length + HANG.length < columns / 2 ? indent + HANG : HANG);
  const lines: string[] = [];
  let current = start;
  let empty = true;
  for (const [, gap = '', word = ''] of line.slice(start.length).matchAll(/( *)([^ ]+)/g)) {
    if (!empty && widthOf(current + gap + word) > columns) {
      lines.push(current);
      current = hang + word;
    } else current += gap + word;
    empty = false;
  }
  return [...lines, current];
}
