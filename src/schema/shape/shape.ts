/** Facts about a schema that several walkers need: Go's type names, zero values, emptiness. */
import type { Schema } from './types.ts';

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

/** Returns how `omitempty` treats values of a schema. */
export function emptinessOf({ type }: Schema): Emptiness {
  switch (type) {
    case 'string':
    case 'bytes':
    case 'boolean':
    case 'int32':
    case 'int64':
    case 'float64':
      return 'zero';
    case 'list':
    case 'map':
      return type;
    default:
      return 'never';
  }
}

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
