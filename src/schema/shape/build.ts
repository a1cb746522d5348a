/** The functions to write a schema with. Each returns plain data and keeps literal types, so that `Infer` can read them. */
import type { Facets, Fieldset, ObjectShape, Schema, WireNumber } from './types.ts';

/** The schema of a Go `string`; `go` is the name of a string type as errors print it (`v1.RestartPolicy`). */
export const str = (go?: string) =>
  (go === undefined ? { type: 'string' } : { type: 'string', go }) as { readonly type: 'string'; readonly go?: string };
/** The schema of true or false. */
export const bool = { type: 'boolean' } as const;
/** The schema of a whole number of 32 bits. */
export const int32 = { type: 'int32' } as const;
/** The schema of a whole number of 64 bits; a number too large for a JavaScript number keeps its text. */
export const int64 = { type: 'int64' } as const;
/** The schemas of whole numbers that must not be negative. */
export const count32 = { ...int32, min: 0 } as typeof int32;
export const count64 = { ...int64, min: 0 } as typeof int64;
/** The schema of a quantity, `500m` or `8Gi`: a text that is compared by its value. */
export const quantity = { type: 'quantity' } as const;
/** The schema of an amount of a resource: a quantity no finer than a thousandth. */
export const amount = { type: 'quantity', milli: true } as const;
/** The schema of an instant, RFC 3339 in whole seconds. */
export const time = { type: 'time' } as const;
export const microTime = { type: 'microTime' } as const;
/** The schema of a whole number or a text, as ports and percentages are. */
export const intOrString = { type: 'intOrString' } as const;
export const bytes = { type: 'bytes' } as const;
/** The schema of any JSON value, which is not checked. */
export const any = { type: 'any' } as const;

/** The schema of a list of `items`; a strategic patch replaces it whole. */
export const list = <const I extends Schema>(items: I) => ({ type: 'list', items }) as const;
/** The schema of a list that apply replaces whole, as a strategic patch does. */
export const atomicList = <const I extends Schema>(items: I) => ({ type: 'list', items, listType: 'atomic' }) as const;
/** The schema of a list that apply merges as a set of values. */
export const setList = <const I extends Schema>(items: I) => ({ type: 'list', items, listType: 'set' }) as const;
/** The schema of a list that apply merges by these keys, and a strategic merge patch by the first of them. */
export const mapList = <const I extends Schema>(items: I, ...listMapKeys: readonly [string, ...string[]]) =>
  ({ type: 'list', items, listType: 'map', listMapKeys, patchStrategy: 'merge', patchMergeKey: listMapKeys[0] }) as const;
/** The schema of a list that a strategic merge patch merges by a key, and apply replaces whole. */
export const mergeList = <const I extends Schema>(items: I, patchMergeKey: string, patchStrategy = 'merge') =>
  ({ type: 'list', items, patchStrategy, patchMergeKey }) as const;
/** The schema of a mapping from texts to `values`; `go` is its type as errors name it. */
export const map = <const V extends Schema>(values: V, go?: string) =>
  ({ type: 'map', values, ...(go === undefined ? {} : { go }) }) as { readonly type: 'map'; readonly values: V; readonly go?: string };

export type ObjectFlags = Omit<ObjectShape, 'type' | 'go' | 'about' | 'fields'>;
type StructOf<F extends Fieldset> = { readonly type: 'object'; readonly go: string; readonly fields: F } & ObjectFlags;

/**
 * Returns the schema of an object with these fields. `go` is the name of its type, as errors and `explain` have it; `about` says what it is,
 * for people.
 */
export function obj<const F extends Fieldset>(go: string, about: string, fields: F, flags?: ObjectFlags): StructOf<F>;
export function obj<const F extends Fieldset>(go: string, fields: F, flags?: ObjectFlags): StructOf<F>;
export function obj(go: string, ...rest: readonly (string | Fieldset | ObjectFlags | undefined)[]): StructOf<Fieldset> {
  const [about, fields, flags] = typeof rest[0] === 'string' ? rest : [undefined, ...rest];
  const described = about === undefined ? {} : { about: about as string };
  return { type: 'object', go, ...described, fields: fields as Fieldset, ...(flags as ObjectFlags) };
}

/**
 * Returns a field of a struct: a schema with the field's number in protobuf (of a field of an embedded message: the number of that message,
 * then its own), a sentence for people, and what is valid of it.
 */
export function field<const S extends Schema>(wire: WireNumber, says: string, schema: S, facets?: Facets): S;
export function field<const S extends Schema>(wire: WireNumber, schema: S, facets?: Facets): S;
export function field(wire: WireNumber, ...rest: readonly (string | Schema | Facets | undefined)[]): Schema {
  const [says, schema, facets] = typeof rest[0] === 'string' ? rest : [undefined, ...rest];
  return { ...(schema as Schema), ...(facets as Facets | undefined), wire, ...(says === undefined ? {} : { says: says as string }) };
}

/** Returns fields whose message is embedded in another one, under this number there. */
export function embedded<const F extends Fieldset>(message: number, fields: F): F {
  const made: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(fields))
    made[name] = typeof schema.wire === 'number' ? { ...schema, wire: [message, schema.wire] } : schema;
  return made as F;
}

/** Returns the schema of a text that is one of `values`: a closed set, sorted, for editors and clients. The rules of a kind refuse others. */
export const oneOf = <const S extends Schema>(schema: S, values: readonly string[]): S => ({ ...schema, oneOf: values });

/** A field that is published as required: always encoded, never optional in the type. */
export const req = <const S extends Schema>(schema: S) =>
  ({ ...schema, required: true, always: true }) as S & { readonly required: true; readonly always: true };
/** A field that is encoded even when it is zero. */
export const always = <const S extends Schema>(schema: S) => ({ ...schema, always: true }) as S & { readonly always: true };
/** A Go pointer: its zero value is kept. */
export const ptr = <const S extends Schema>(schema: S) => ({ ...schema, pointer: true }) as S & { readonly pointer: true };
/** A static default, always present after decoding. A pointer is filled when absent, any other field when zero. */
export const def = <const S extends Schema>(schema: S, value: unknown) => ({ ...schema, default: value }) as S;
/** A field with a default whose type says that it is always present. */
export const filled = <const S extends Schema>(schema: S, value: unknown) =>
  ({ ...schema, default: value, always: true }) as S & { readonly always: true; readonly default: unknown };
/** A list that is published as required, although its empty value is legal and encoded as `null`. */
export const published = <const S extends Schema>(schema: S) =>
  ({ ...schema, required: true, always: true }) as S & { readonly always: true };
