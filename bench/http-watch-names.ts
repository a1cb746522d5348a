/** Constants that the writer and the watchers of a benchmark share. */

/** The map entry that counts the writes. */
export const WATCHED = 'number';
