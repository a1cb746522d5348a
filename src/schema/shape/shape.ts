/** Facts about a schema that several walkers need: Go's names of types, zero values, what is empty. */
import type { Schema } from './types.ts';

/** The Go type as decode errors print it. */
export function goType(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return schema.go === undefined ? 'string' : qualified(schema.go);
    case 'boolean':
      return 'bool';
    case 'int32':
    case 'int64':
    case 'float64':
      return schema.type;
    case 'list':
      return `[]${goType(schema.items)}`;
    case 'map':
      return schema.go === undefined ? `map[string]${goType(schema.values)}` : qualified(schema.go);
    case 'object':
      return schema.inPackage === undefined ? qualified(schema.go) : `${schema.inPackage}.${schema.go}`;
    case 'quantity':
      return 'resource.Quantity';
    case 'time':
      return 'v1.Time';
    case 'microTime':
      return 'v1.MicroTime';
    case 'intOrString':
      return 'intstr.IntOrString';
    case 'bytes':
      return '[]uint8';
    case 'duration':
      return 'v1.Duration';
    case 'any':
      return 'runtime.RawExtension';
  }
}

/** What Go's `omitempty` leaves out, by type. Objects are pointers or structs: never empty. */
export type Emptiness = 'zero' | 'list' | 'map' | 'never';

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

/** Whether a value that has been read is left out. */
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

/** Whether a field with this value, read, may be one that is left out. */
export const isNothing = (schema: Schema, value: unknown): boolean => hasNothing(emptinessOf(schema), value);

/** The `typeof` of values that are stored as they come. */
export function plainType({ type }: Schema): 'string' | 'boolean' | undefined {
  return type === 'string' || type === 'duration' ? 'string' : type === 'boolean' ? 'boolean' : undefined;
}

/** Types live in packages called v1 unless they say otherwise. */
const qualified = (name: string): string => (name.includes('.') ? name : `v1.${name}`);
