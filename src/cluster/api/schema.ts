/**
 * The shape of a kind as data. From one schema come: the TypeScript type (`Infer`), decoding with Go's error texts, defaults,
 * JSON encoding rules (what is kept when empty), merge rules of patches and apply, OpenAPI and JSON Schema.
 */

interface Flags {
  /** Must be present; absent is a validation error of the kind (types are not optional). */
  readonly required?: true;
  /** A Go pointer: an explicit zero value differs from absence and survives. */
  readonly pointer?: true;
  /** Encoded even when zero (`{}`, `""`, `0`, `null`): the Go field has no `omitempty` or is a struct. */
  readonly always?: true;
  /** A static default, applied when absent (for non-pointers: when zero). */
  readonly default?: unknown;
  readonly description?: string;
}

export type Schema = Flags & (
  | { readonly type: 'string'; readonly go?: string; readonly enum?: readonly string[] }
  | { readonly type: 'boolean' }
  | { readonly type: 'int32' | 'int64' | 'float64' }
  | { readonly type: 'quantity' | 'time' | 'microTime' | 'intOrString' | 'bytes' | 'duration' | 'any' }
  | { readonly type: 'list'; readonly items: Schema; readonly listType?: 'atomic' | 'set' | 'map'; readonly listMapKeys?: readonly string[]; readonly patchStrategy?: string; readonly patchMergeKey?: string }
  | { readonly type: 'map'; readonly values: Schema; readonly mapType?: 'atomic' }
  | { readonly type: 'object'; readonly go: string; readonly fields: Readonly<Record<string, Schema>>; readonly mapType?: 'atomic'; readonly patchStrategy?: string }
);

type Fields<F extends Readonly<Record<string, Schema>>> =
  & { readonly [K in keyof F as F[K] extends { readonly required: true } ? K : never]: Infer<F[K]> }
  & { readonly [K in keyof F as F[K] extends { readonly required: true } ? never : K]?: Infer<F[K]> };

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The TypeScript type of the values a schema describes. */
export type Infer<S extends Schema> =
  S extends { readonly type: 'string'; readonly enum: readonly (infer E)[] } ? E
  : S extends { readonly type: 'string' | 'quantity' | 'bytes' | 'duration' } ? string
  : S extends { readonly type: 'time' | 'microTime' } ? string
  : S extends { readonly type: 'boolean' } ? boolean
  : S extends { readonly type: 'int32' | 'int64' | 'float64' } ? number
  : S extends { readonly type: 'intOrString' } ? number | string
  : S extends { readonly type: 'list'; readonly items: infer I extends Schema } ? readonly Infer<I>[]
  : S extends { readonly type: 'map'; readonly values: infer V extends Schema } ? Readonly<Record<string, Infer<V>>>
  : S extends { readonly type: 'object'; readonly fields: infer F extends Readonly<Record<string, Schema>> } ? Flat<Fields<F>>
  : unknown;
