/** The parts of a kind besides its rules: descriptions, wire numbers, and an example. */
import type { Names } from './names.ts';

/**
 * Fields with a closed set of values, sorted: by struct and field. A struct that exists in two groups may be named in full:
 * `core.v1.EndpointPort`.
 */
export type Values = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Field numbers by Go struct: `metadata=1 spec=2`. */
export type Wire = Readonly<Record<string, string>>;

type Fields = Readonly<Record<string, unknown>>;

/** A valid object of a kind. */
export interface Example {
  /** The name, where it follows from the content. */
  readonly name?: string;
  /** Returns the content besides metadata. */
  fields(names: Names): Fields;
  /** A second example with another name, for kinds whose names follow from the content. */
  readonly another?: { readonly name: string; readonly fields: Fields };
}
