/** What writer and watchers of a benchmark have agreed on. */

/** The entry of a map that counts the writes. */
export const WATCHED = 'number';
