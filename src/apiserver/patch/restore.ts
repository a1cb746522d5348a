/**
 * Whether a merged map fits its kind, with the text of the first error. The server converts the map directly into a struct, without
 * encoding it. Models: v1.24 apimachinery pkg/runtime/converter.go (fromUnstructured). Texts, instants and quantities are not parsed here.
 */
import { isLong, type Schema } from '../../schema/shape/index.ts';
import { goKind, goType, jsonKind } from './go-text.ts';
import { isList, isMap, member } from './values.ts';

/** Returns the error of a value; undefined: none. Unknown members are accepted, as is everything shared with `before`, a valid value. */
export function restoreProblem(schema: Schema, value: unknown, before?: unknown): string | undefined {
  if (value === null || value === undefined || value === before) return undefined;
  switch (schema.type) {
    case 'object':
      return objectProblem(schema.fields, value, before);
    case 'map':
      return mapProblem(schema.values, value);
    case 'list':
      return listProblem(schema.items, value);
    case 'bytes':
      return typeof value === 'string' ? undefined : `cannot restore slice from ${goKind(value)}`;
    case 'string':
      return typeof value === 'string' ? undefined : scalarProblem(value, 'string', schema.go);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : scalarProblem(value, 'bool');
    case 'int32':
    case 'int64':
      return (typeof value === 'number' && Number.isInteger(value)) || isLong(value) ? undefined : scalarProblem(value, schema.type);
    case 'float64':
      return typeof value === 'number' ? undefined : scalarProblem(value, 'float64');
    case 'time':
    case 'microTime':
    case 'duration':
      return typeof value === 'string' ? undefined : `json: cannot unmarshal ${jsonKind(value)} into Go value of type string`;
    case 'intOrString':
      return typeof value === 'string' || typeof value === 'number'
        ? undefined
        : `json: cannot unmarshal ${jsonKind(value)} into Go value of type int32`;
    case 'quantity':
      return isMap(value) || isList(value) || typeof value === 'boolean'
        ? "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        : undefined;
    case 'any':
      return undefined;
  }
}

function objectProblem(fields: Readonly<Record<string, Schema>>, value: unknown, before: unknown): string | undefined {
  if (!isMap(value)) return `cannot restore struct from: ${goKind(value)}`;
  const known = isMap(before) ? before : undefined;
  // The fields are checked in order, so that the first error is reported.
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined || !Object.hasOwn(value, name)) continue;
    const problem = restoreProblem(field, value[name], known === undefined ? undefined : member(known, name));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function mapProblem(values: Schema, value: unknown): string | undefined {
  if (!isMap(value)) return `cannot restore map from ${goKind(value)}`;
  for (const key in value) {
    const problem = restoreProblem(values, value[key]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function listProblem(items: Schema, value: unknown): string | undefined {
  if (!isList(value)) return `cannot restore slice from ${goKind(value)}`;
  for (const item of value) {
    const problem = restoreProblem(items, item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Go can convert numbers to each other and whole numbers to text, which gives other errors than values without a conversion. */
function scalarProblem(value: unknown, wanted: string, named = wanted): string {
  const convertible = typeof value === 'number' && wanted !== 'bool' && !(wanted === 'string' && !Number.isInteger(value));
  return convertible ? `cannot convert ${goType(value)} to ${named}` : `unrecognized type: ${wanted}`;
}
