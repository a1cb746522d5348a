/** Lines broken between words, where they would run past the edge. */
import { widthOf } from './width.ts';

/** A quotation's bar, coloured or not, with what stands before it: it goes on down the left edge. */
const BAR = /^\s*(?:\u001B\[\d+m)*│(?:\u001B\[\d+m)* /;
const HANG = '    ';

/**
 * A line as lines of at most so many characters. What follows the first hangs a little, or has its bar. A word that is longer than that
 * keeps its length: it has no place to break. `hanging`: what the others begin with, in place of that.
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
