/** Widths of what is seen. */

// oxlint-disable-next-line no-control-regex -- that is what colours are
const COLOURS = /\u001B\[\d+m/g;

/** Characters that a terminal shows: colours do not count. */
export const widthOf = (text: string): number => [...text.replace(COLOURS, '')].length;
