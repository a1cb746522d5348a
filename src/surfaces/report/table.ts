/** Tables of texts. Widths count visible characters: colours do not count. */
import { widthOf } from './width.ts';
import { wrapLine } from './wrap.ts';

export { widthOf } from './width.ts';

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

/** `1 write`, `12,345 writes`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;
