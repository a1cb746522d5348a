/**
 * The schema of a kind as data, with Go's names of its types and what counts as empty. These are derived from one schema: the TypeScript type
 * (`Infer`), decoding with Go's error texts, defaults, JSON encoding rules (what is kept when empty), merge rules of patches and apply,
 * OpenAPI and JSON Schema.
 */
/** The syntax of a text, or of a number or mapping, by the name of its check. */
export type Format =
  | 'label'
  | 'label-1035'
  | 'subdomain'
  | 'subdomain prefix'
  | 'host name'
  | 'path segment'
  | 'qualified name'
  | 'label name'
  | 'label value'
  | 'labels'
  | 'label selector'
  | 'environment name'
  | 'config map key'
  | 'header name'
  | 'port'
  | 'port name'
  | 'port or port name'
  | 'ip'
  | 'address'
  | 'reachable ip'
  | 'sysctl'
  | 'topology key'
  | 'no backsteps'
  | 'descending path'
  | 'file path'
  | 'share'
  | 'share of all'
  | 'driver';

/** A bound of a number, with the words of the error where they are not the usual ones. */
export type Bound = number | readonly [bound: number, words: string];

/**
 * What is valid of a field besides its type. Validation reads it, and nothing else: the decoder takes any value of the type. Errors come in
 * this order; a missing value has no other error than that it is needed.
 */
export interface Facets {
  /** The value must be there: a text or list must not be empty. A text: the words of the error. */
  readonly needed?: true | string;
  /** An empty text is valid. */
  readonly empty?: true;
  /** An absent text is judged as an empty one. */
  readonly zero?: true;
  /** The syntax of the value; of a list: of each item. */
  readonly format?: Format;
  /** The supported values, in the order in which the error lists them; of a list: of each item. */
  readonly among?: readonly string[];
  readonly min?: Bound;
  readonly max?: Bound;
  /** The most characters of a text. */
  readonly longest?: number;
  /** The error where a value is not among the supported ones or not within its bounds, in place of the usual ones. */
  readonly words?: string;
  /** In a list, no other item has this value. `if valid`: judged only where nothing else is wrong with it. */
  readonly distinct?: true | 'if valid';
  /** Upstream's other spelling in paths of errors; empty: it leaves the field out. */
  readonly spelt?: string;
  /** Upstream's paths do not have the index of an item. */
  readonly unindexed?: true;
  /**
   * An update must not change it. `words`: those of the error, which forbids then; `as`: upstream's other spelling of the path; `go`: the
   * package of its type, where the error prints the whole value.
   */
  readonly fixed?: true | { readonly as?: string; readonly go?: string; readonly words?: string };
  /** The gate without which a write drops the field, unless the stored object has it. */
  readonly since?: string | Gated;
  /**
   * The column of tables with the value: its name, its text where that is not what the field says, and its type where that is not the
   * value's. It is read of fields of an object, its specification and its status.
   */
  readonly column?: string | readonly [name: string, text: string, type?: 'string'];
}

/** A gate, where there is more to say of it. */
export interface Gated {
  readonly gate: string;
  /** The value that is stored in place of another one; absent: the field is dropped. */
  readonly becomes?: string;
  /** The field is dropped by a rule of the specification, not by v1.24. */
  readonly ruled?: true;
}

export interface Flags extends Facets {
  /** Published as required and always encoded, so a decoded value always has it. Its absence is a validation error of the kind. */
  readonly required?: true;
  /** A Go pointer: an explicit zero value differs from absence and is kept. Objects without `always` always behave so. */
  readonly pointer?: true;
  /** Encoded even when zero (`{}`, `""`, `0`, `null`): the Go field has no `omitempty` or is a struct. */
  readonly always?: true;
  /** A static default, applied when absent (for non-pointers: when zero). */
  readonly default?: unknown;
  /**
   * Computes the stored value in place of Go's decoder: a value that does not fit, or is empty, may be kept. The function must mutate
   * neither its argument nor an earlier result.
   */
  readonly coerce?: (value: unknown) => unknown;
  /** The field's number in protobuf. */
  readonly wire?: WireNumber;
  /** What the field means, as a sentence for people. */
  readonly says?: string;
  /** The values of a closed set, sorted: editors complete them, clients show them. */
  readonly oneOf?: readonly string[];
}

/** What every format says of a value besides its type: the schemas of kinds, the settings of processes, the fields of scenario files. */
export type Described = Pick<Flags, 'says' | 'needed' | 'among' | 'min' | 'max' | 'default'>;

/** A field's number in protobuf; of a field of an embedded message, the number of that message and its own in it. */
export type WireNumber = number | readonly [message: number, field: number];

export type Fieldset = Readonly<Record<string, Schema>>;

/**
 * Computes defaults that depend on sibling fields: returns the fields to set on a decoded object, or undefined. The function must neither
 * mutate nor keep its argument, and a second call must return undefined.
 */
export type Complete = (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | undefined;

export interface ObjectShape {
  readonly type: 'object';
  /** The members in the order in which they are validated, where that is not the published one. */
  readonly order?: readonly string[];
  /** The Go struct's name, as errors print it: `JobSpec`. */
  readonly go: string;
  /** What the struct is, as a sentence or two for people. */
  readonly about?: string;
  readonly fields: Fieldset;
  readonly mapType?: 'atomic';
  readonly patchStrategy?: string;
  /** Members without a field are kept as they are, after the others. */
  readonly open?: true;
  /** Many objects share such objects by reference (templates, specs): decoding caches canonical instances by identity. */
  readonly memo?: true;
  /** The package that errors name with the type, where it is not called v1. */
  readonly inPackage?: string;
  readonly complete?: Complete;
}

/**
 * The schema of a value as data, which decoding, validation, defaults, patches and `explain` all read. Made with `obj`, `str`, `list` and
 * similar functions.
 */
export type Schema = Flags &
  (
    | { readonly type: 'string'; readonly go?: string }
    | { readonly type: 'boolean' }
    | { readonly type: 'int32' | 'int64' | 'float64' }
    | { readonly type: 'quantity'; /** Rounded up to thousandths, as amounts of resources are. */ readonly milli?: true }
    | { readonly type: 'time' | 'microTime' | 'intOrString' | 'bytes' | 'duration' | 'any' }
    | {
        readonly type: 'list';
        readonly items: Schema;
        readonly listType?: 'atomic' | 'set' | 'map';
        readonly listMapKeys?: readonly string[];
        readonly patchStrategy?: string;
        readonly patchMergeKey?: string;
      }
    | { readonly type: 'map'; readonly values: Schema; readonly go?: string; readonly mapType?: 'atomic' }
    | ObjectShape
  );

type Present = { readonly required: true } | { readonly always: true };
/** A field that is always present may still be `null` when it is unset, unless the kind requires it. */
type Nullable = { readonly type: 'list' | 'map' | 'time' | 'microTime' } | { readonly pointer: true };

type FieldType<S extends Schema> = S extends { readonly required: true } | { readonly always: true; readonly default: unknown }
  ? Infer<S>
  : S extends { readonly always: true } & Nullable
    ? Infer<S> | null
    : Infer<S>;

type Fields<F extends Fieldset> = { readonly [K in keyof F as F[K] extends Present ? K : never]: FieldType<F[K]> } & {
  readonly [K in keyof F as F[K] extends Present ? never : K]?: FieldType<F[K]>;
};

type Flat<T> = { readonly [K in keyof T]: T[K] };

/** The TypeScript type of the canonical values a schema describes. */
export type Infer<S extends Schema> = S extends { readonly type: 'string' | 'quantity' | 'bytes' | 'duration' }
  ? string
  : S extends { readonly type: 'time' | 'microTime' }
    ? string
    : S extends { readonly type: 'boolean' }
      ? boolean
      : S extends { readonly type: 'int32' | 'int64' | 'float64' }
        ? number
        : S extends { readonly type: 'intOrString' }
          ? number | string
          : S extends { readonly type: 'list'; readonly items: infer I extends Schema }
            ? readonly Infer<I>[]
            : S extends { readonly type: 'map'; readonly values: infer V extends Schema }
              ? Readonly<Record<string, Infer<V>>>
              : S extends { readonly type: 'object'; readonly fields: infer F extends Fieldset }
                ? Flat<Fields<F>>
                : unknown;

const GO_TYPES: Readonly<Partial<Record<Schema['type'], string>>> = {
  boolean: 'bool',
  quantity: 'resource.Quantity',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  intOrString: 'intstr.IntOrString',
  bytes: '[]uint8',
  duration: 'v1.Duration',
  any: 'runtime.RawExtension',
};

/** Returns the Go type as decode errors print it. */
export function goType(schema: Schema): string {
  if (schema.type === 'list') return `[]${goType(schema.items)}`;
  if (schema.type === 'object' && schema.inPackage !== undefined) return `${schema.inPackage}.${schema.go}`;
  if ('go' in schema && schema.go !== undefined) return qualified(schema.go);
  return schema.type === 'map' ? `map[string]${goType(schema.values)}` : (GO_TYPES[schema.type] ?? schema.type);
}

/** The values that Go's `omitempty` drops, by type. Objects are pointers or structs, and never empty. */
export type Emptiness = 'zero' | 'list' | 'map' | 'never';

const EMPTINESS: Readonly<Partial<Record<Schema['type'], Emptiness>>> = {
  string: 'zero',
  bytes: 'zero',
  boolean: 'zero',
  int32: 'zero',
  int64: 'zero',
  float64: 'zero',
  list: 'list',
  map: 'map',
};

/** Returns how `omitempty` treats values of a schema. */
export const emptinessOf = ({ type }: Schema): Emptiness => EMPTINESS[type] ?? 'never';

/** Whether a decoded value is dropped by `omitempty`. */
export function hasNothing(kind: Emptiness, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  switch (kind) {
    case 'zero':
      return value === '' || value === false || value === 0;
    case 'list':
      return Array.isArray(value) && value.length === 0;
    case 'map': {
      for (const key in value) return key === undefined;
      return true;
    }
    default:
      return false;
  }
}

/** Whether a decoded value of this field is one that `omitempty` drops. */
export const isNothing = (schema: Schema, value: unknown): boolean => hasNothing(emptinessOf(schema), value);

/** The `typeof` of values that are stored unchanged; undefined for other types. */
export function plainType({ type }: Schema): 'string' | 'boolean' | undefined {
  return type === 'string' || type === 'duration' ? 'string' : type === 'boolean' ? 'boolean' : undefined;
}

/** Types are in packages called v1 unless their name says otherwise. */
const qualified = (name: string): string => (name.includes('.') ? name : `v1.${name}`);
