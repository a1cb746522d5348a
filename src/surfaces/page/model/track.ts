/** The positions of the cursor: the steps of one run, or the moments of two. */
import { beginsAt } from './axis.ts';
import type { Model } from './index.ts';

export interface Track {
  /** The number of the last position. */
  readonly length: number;
  /** Positions of log entries at which the reader stops, ascending; those of notes, writes, failures. */
  readonly reported: Uint32Array;
  readonly narrationSteps: readonly number[];
  readonly writes: readonly number[];
  readonly broken: readonly number[];
  /** Milliseconds since the epoch. */
  instantAt(place: number): number;
}

/** The track of one run: its positions are its steps. */
export const trackOf = ({ length, reported, narrationSteps, writes, broken, trace }: Model): Track => ({
  length,
  reported: reported.told,
  narrationSteps,
  writes,
  broken,
  instantAt: (step) => trace.entries[step - 1]?.at ?? beginsAt(trace),
});
