/** A reader that consumes a trace entry by entry, so that a growing run is read incrementally. */
import type { Entry } from '../../../lab/trace/index.ts';

export interface Reader<What> {
  /** Reads the next entry; those of the prologue have step 0. */
  follow(entry: Entry, step: number): void;
  /** Returns the result so far. Later entries may extend it. */
  soFar(): What;
}
