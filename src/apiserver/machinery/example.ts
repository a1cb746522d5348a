/** A valid object of a kind: for tests, for documentation. */
import type { Names } from './names.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A valid object of a kind. */
export interface Example {
  /** Its name, where that follows from what it holds. */
  readonly name?: string;
  /** What it holds besides its metadata. */
  fields(names: Names): Fields;
  /** A second one of another name, for kinds whose names follow from what they hold. */
  readonly another?: { readonly name: string; readonly fields: Fields };
}
