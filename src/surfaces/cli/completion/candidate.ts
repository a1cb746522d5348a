/** What completion offers, and what it knows when it is asked. */
import type { Io } from '../io.ts';

/** A word that may come next, and what it is. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** Where a word is asked for. */
export interface Asked {
  readonly io: Io;
  /** What there is of it yet. */
  readonly current: string;
  /** Arguments before it that are paths. */
  readonly paths: readonly string[];
}
