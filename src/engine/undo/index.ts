/**
 * Going back: the moments of a world, and the undo log under them. Writes are noted only in the build with the write barrier
 * (`src/build/write-barrier.mjs`), which puts these functions before every write of the modules below the surfaces.
 */
export { beginHistory, noteNothing, type Moment } from './history.ts';
export { isUnnoted, noteVariable, serial } from './log.ts';

/** Set by the build with the write barrier. */
declare const WRITE_BARRIER: boolean | undefined;
/** Whether this is the build with the write barrier. */
export const hasWriteBarrier = typeof WRITE_BARRIER !== 'undefined';
