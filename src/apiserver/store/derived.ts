/**
 * Derived objects: what their present value is follows from the clock, so that nobody has to write it. The one seam between the store and
 * whoever knows the rule (`controlplane/runtime/renewal-elision.ts`): readers find objects and revisions as if each write had been made.
 */
import type { ApiObject } from '../machinery/index.ts';

export interface Derivation {
  /** Puts present values in their places, before objects are read: of one key, or (undefined) of all. */
  refresh(key: string | undefined): void;
}

/** What the rule may do to its kind. */
export interface Derived {
  /** An object as it was last written or put. */
  stored(key: string): ApiObject | undefined;
  /** Replaces an object silently: no revision of its own, no change told. */
  put(key: string, object: ApiObject): void;
  /** Lets so many revisions pass: writes that nobody has seen. */
  pass(revisions: number): void;
}
