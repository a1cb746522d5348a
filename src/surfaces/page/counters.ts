/** How often what costs something was done: tests hold these, not milliseconds. */
export const counters = {
  /** Lanes of the timeline painted anew; moving the cursor must not. */
  swimlanePaints: 0,
  /** The cursor of the timeline drawn. */
  cursorPaints: 0,
  /** Cells of crowds painted. */
  podGridPaints: 0,
  /** Parts of the page rendered. */
  renders: 0,
  /** Questions to the engine. */
  questions: 0,
};

export const resetCounters = (): void => {
  for (const name of Object.keys(counters) as (keyof typeof counters)[]) counters[name] = 0;
};
