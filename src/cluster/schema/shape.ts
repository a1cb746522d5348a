/** Facts about a schema that several walkers need: Go's names of types, zero values, what is empty. */
import type { Schema } from './types.ts';

/** The Go type as decode errors print it. */
export function goType(schema: Schema): string {
  switch (schema.type) {
    case 'string': return schema.go === undefined ? 'string' : qualified(schema.go);
    case 'boolean': return 'bool';
    case 'int32': case 'int64': case 'float64': return schema.type;
    case 'list': return `[]${goType(schema.items)}`;
    case 'map': return schema.go === undefined ? `map[string]${goType(schema.values)}` : qualified(schema.go);
    case 'object': return qualified(schema.go);
    case 'quantity': return 'resource.Quantity';
    case 'time': return 'v1.Time';
    case 'microTime': return 'v1.MicroTime';
    case 'intOrString': return 'intstr.IntOrString';
    case 'bytes': return '[]uint8';
    case 'duration': return 'v1.Duration';
    case 'any': return 'runtime.RawExtension';
  }
}

/** Whether Go's `omitempty` leaves the value out. Objects are pointers or structs: never empty. */
export function isEmpty(schema: Schema, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  switch (schema.type) {
    case 'string': case 'bytes': return value === '';
    case 'boolean': return value === false;
    case 'int32': case 'int64': case 'float64': return value === 0;
    case 'list': return Array.isArray(value) && value.length === 0;
    case 'map': {
      for (const key in value) return key === undefined;
      return true;
    }
    default: return false;
  }
}

/** Types live in packages called v1 unless they say otherwise. */
const qualified = (name: string): string => (name.includes('.') ? name : `v1.${name}`);
