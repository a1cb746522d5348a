/** Texts in columns. Widths are those of what is seen: colours do not count. */

// oxlint-disable-next-line no-control-regex -- that is what colours are
const COLOURS = /\u001B\[\d+m/g;

/** Characters that a terminal shows. */
export const widthOf = (text: string): number => [...text.replace(COLOURS, '')].length;

/** Pads what is seen to a width. */
export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

/** Rows as lines; the last column is never padded. */
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

/** `12,345`. */
export const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** `1 write`, `12,345 writes`. */
export const count = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;
