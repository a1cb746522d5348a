/** Tables of texts. Widths count visible characters: colours do not count. */
import { formatDurationMs } from '../../schema/values/index.ts';

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const COLOURS = /\u001B\[\d+m/g;

/** Number of visible characters: colours do not count. */
export const widthOf = (text: string): number => [...text.replace(COLOURS, '')].length;

/** The bar of a quotation, coloured or not, with its indentation. Continuation lines repeat it. */
const BAR = /^\s*(?:\u001B\[\d+m)*│(?:\u001B\[\d+m)* /;
const HANG = '    ';

/** Wraps a line at `columns`. Continuation lines are indented, or repeat the bar of a quotation, or begin with `hanging`. */
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

/** Pads a text to a visible width. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Rows as lines; the last column is not padded. */
export function table(rows: readonly (readonly string[])[], gap = '  '): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
    });
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : pad(cell, widths[at] ?? 0)))
      .join(gap)
      .trimEnd(),
  );
}

const BELOW = '    ';

/** A table with a heading, as lines of at most `columns` characters. If it is wider, the last column goes below its row. */
export function fittedTable(rows: readonly (readonly string[])[], gap: string, columns: number): readonly string[] {
  const whole = table(rows, gap);
  if (whole.every((line) => widthOf(line) <= columns)) return whole;
  const heads = table(
    rows.map((row) => row.slice(0, -1)),
    gap,
  );
  return rows.flatMap((row, at) => [
    ...wrapLine(heads[at] ?? '', columns),
    ...(at === 0 || (row.at(-1) ?? '') === '' ? [] : wrapLine(BELOW + (row.at(-1) ?? ''), columns, BELOW)),
  ]);
}

/** `12,345`. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A time to rest, in whole seconds. */
export const restText = (ms: number): string => formatDurationMs(Math.ceil(ms / 1000) * 1000);

/** `1 write`, `12,345 writes`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;

/** The first lines; the others are counted: `and 5 more`. */
export const firstLines = (lines: readonly string[], most: number): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];

/** `a, b, …`. */
export const firstWords = (words: readonly string[], most: number, between = ','): string =>
  `${words.slice(0, most).join(`${between} `)}${words.length > most ? `${between} …` : ''}`;
