/** The encoding of a new, empty object of a kind. */
import { perObject } from '../../engine/index.ts';
import type { Schema } from '../../schema/shape/index.ts';

/**
 * Returns only fields that are encoded when empty, at every depth, without defaults: the state before a creation. The same schema gives the
 * same reference.
 */
export const zeroValue = perObject((schema: Schema) => zeroOf(schema, true));

/** Returns the encoding of an unset value. `unset`: members with a default are left out, and pointers are null. */
export function zeroOf(schema: Schema, unset: boolean): unknown {
  if (unset && schema.pointer === true) return null;
  switch (schema.type) {
    case 'object': {
      const encoded = Object.entries(schema.fields).filter(([, field]) => field.always === true && !(unset && field.default !== undefined));
      return Object.freeze(Object.fromEntries(encoded.map(([name, field]) => [name, zeroOf(field, unset)])));
    }
    case 'string':
    case 'duration':
      return '';
    case 'boolean':
      return false;
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    default:
      return null;
  }
}
