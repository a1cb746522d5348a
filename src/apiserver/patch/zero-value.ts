/** The encoding of a new, empty object of a kind: the state before a creation. */
import { memo } from '../../engine/index.ts';
import type { Schema } from '../../schema/shape/index.ts';

const made = memo(new WeakMap<Schema, unknown>());

/** Returns only fields that are encoded when empty, at every depth, without defaults. The same schema gives the same reference. */
export function zeroValue(schema: Schema): unknown {
  if (!made.has(schema)) made.set(schema, build(schema));
  return made.get(schema);
}

function build(schema: Schema): unknown {
  switch (schema.type) {
    case 'object':
      return schema.pointer === true
        ? null
        : Object.freeze(
            Object.fromEntries(
              Object.entries(schema.fields)
                .filter(([, field]) => field.always === true && field.default === undefined)
                .map(([name, field]) => [name, build(field)]),
            ),
          );
    case 'string':
    case 'duration':
      return schema.pointer === true ? null : '';
    case 'boolean':
      return schema.pointer === true ? null : false;
    case 'int32':
    case 'int64':
    case 'float64':
      return schema.pointer === true ? null : 0;
    case 'quantity':
      return schema.pointer === true ? null : '0';
    case 'intOrString':
      return schema.pointer === true ? null : 0;
    default:
      return null;
  }
}
