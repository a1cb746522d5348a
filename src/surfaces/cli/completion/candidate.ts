/** What completion offers, and the context of a request. */
import type { Io } from '../io.ts';

/** A word that may come next, with a description. */
export interface Candidate {
  readonly word: string;
  readonly about?: string;
}

/** The place on the command line that is to be completed. */
export interface CompletionRequest {
  readonly io: Io;
  /** The part of the word that is typed already. */
  readonly current: string;
  /** The earlier arguments that are paths. */
  readonly paths: readonly string[];
}
