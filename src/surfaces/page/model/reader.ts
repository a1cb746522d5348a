/**
 * Whoever reads a trace from its beginning, entry by entry: a run that is still being made is read as it comes, and nothing of it twice.
 */
import type { Entry } from '../../../lab/trace/index.ts';

export interface Reader<What> {
  /** The next entry; those of the prologue are at step 0. */
  follow(entry: Entry, step: number): void;
  /** What is known by now. Later entries may be added to it. */
  soFar(): What;
}
