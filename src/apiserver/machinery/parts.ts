/** What a kind tells besides its rules: what its fields mean, their numbers on the wire, and an example. */
import type { Names } from './names.ts';

/**
 * Values that a field may have, sorted, where they are a closed set: by struct and field. A struct that two groups have may be named in
 * full: `core.v1.EndpointPort`.
 */
export type Values = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Field numbers by Go struct: `metadata=1 spec=2`. */
export type Wire = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;

/** A valid object of a kind. */
export interface Example {
  /** Its name, where that follows from what it holds. */
  readonly name?: string;
  /** What it holds besides its metadata. */
  fields(names: Names): Fields;
  /** A second one of another name, for kinds whose names follow from what they hold. */
  readonly another?: { readonly name: string; readonly fields: Fields };
}
