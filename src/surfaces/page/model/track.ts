/** What the cursor moves on: the steps of one run, or the moments of two that stand side by side. */
import { beginsAt } from './axis.ts';
import type { Model } from './index.ts';

export interface Track {
  /** The number of the last place. */
  readonly length: number;
  /** Places that are told, ascending; those with a note, a write, a break. */
  readonly reported: Uint32Array;
  readonly narrationSteps: readonly number[];
  readonly writes: readonly number[];
  readonly broken: readonly number[];
  /** Milliseconds since the epoch. */
  instantAt(place: number): number;
}

/** The track of one run: its places are its steps. */
export const trackOf = ({ length, reported, narrationSteps, writes, broken, trace }: Model): Track => ({
  length,
  reported: reported.steps,
  narrationSteps,
  writes,
  broken,
  instantAt: (step) => trace.entries[step - 1]?.at ?? beginsAt(trace),
});
