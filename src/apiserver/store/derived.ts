/**
 * Derived objects: their current value is computed from the clock, so that it need not be written. This is the only interface between the
 * store and the module with the rule (`controlplane/runtime/renewal-elision.ts`). Readers see objects and revisions as if every write had
 * been made.
 */
import type { ApiObject } from '../machinery/index.ts';

export interface Derivation {
  /** Updates the current values before objects are read: of one key, or (undefined) of all. */
  refresh(key: string | undefined): void;
}

/** The operations of a derivation on its kind. */
export interface Derived {
  /** Returns an object as it was last written or put. */
  stored(key: string): ApiObject | undefined;
  /** Replaces an object silently: without a new revision and without a change event. */
  put(key: string, object: ApiObject): void;
  /** Skips this many revisions, of writes that no watcher has observed. */
  pass(revisions: number): void;
}
