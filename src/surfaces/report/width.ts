/** Visible width of texts. */

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const COLOURS = /\u001B\[\d+m/g;

/** Number of visible characters: colours do not count. */
export const widthOf = (text: string): number => [...text.replace(COLOURS, '')].length;
