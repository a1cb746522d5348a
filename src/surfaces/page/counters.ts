/** Counters of expensive operations, which tests check instead of milliseconds. */
export const counters = {
  /** Paints of the swimlanes; moving the cursor must not cause one. */
  swimlanePaints: 0,
  /** Paints of the cursor. */
  cursorPaints: 0,
  /** Paints of pod grid cells. */
  podGridPaints: 0,
  /** Pods drawn as cells. */
  cells: 0,
  /** Records of writes that were applied or reverted, to move a table of objects. */
  recordsApplied: 0,
  /** Objects that were compared with a cache. */
  compared: 0,
  /** Renders of components. */
  renders: 0,
  /** Requests to the engine. */
  questions: 0,
};

export const resetCounters = (): void => {
  for (const name of Object.keys(counters) as (keyof typeof counters)[]) counters[name] = 0;
};
