/**
 * What a document says that its schema does not: values that do not fit, for authors of files, and unknown fields, for clients that request
 * strict validation. Decoding reports only the first misfit, in the server's words, whose order and text are recorded; here the same readers
 * decode one value at a time. Models: sigs.k8s.io/json strict errors.
 */
import { isJsonMapping } from '../values/index.ts';
import { decode } from './decode.ts';
import { DecodeError } from './scalars.ts';
import type { Fieldset, Schema } from './types.ts';

type Steps = readonly (string | number)[];

/** A value that cannot be decoded as its field: its path and its schema. */
export interface Misfit {
  readonly steps: Steps;
  readonly schema: Schema;
  readonly value: unknown;
}

/** A field that is not in the schema: its path, which ends with its own name, and the names of the fields that are. */
interface UnknownField {
  readonly steps: Steps;
  readonly known: readonly string[];
}

/** Calls `visit` for each value of a document with its schema, which is undefined for a field that is not among its `siblings`. */
type Visit = (schema: Schema | undefined, value: unknown, steps: Steps, siblings: Fieldset) => void;

function walk(schema: Schema, value: unknown, visit: Visit, steps: (string | number)[] = []): void {
  visit(schema, value, steps, {});
  const below = (inner: Schema, step: string | number, item: unknown): void => {
    steps.push(step);
    walk(inner, item, visit, steps);
    steps.pop();
  };
  if (schema.type === 'list' && Array.isArray(value)) for (const [index, item] of value.entries()) below(schema.items, index, item);
  else if (schema.type === 'map' && isJsonMapping(value)) for (const [key, item] of Object.entries(value)) below(schema.values, key, item);
  else if (schema.type === 'object' && isJsonMapping(value))
    for (const [key, item] of Object.entries(value)) {
      const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
      if (field !== undefined) below(field, key, item);
      else if (schema.open !== true) visit(undefined, item, [...steps, key], schema.fields);
    }
}

export function findMisfits(schema: Schema, value: unknown): readonly Misfit[] {
  const found: Misfit[] = [];
  walk(schema, value, (at, item, steps) => {
    if (at !== undefined && !fits(at, item)) found.push({ steps: [...steps], schema: at, value: item });
  });
  return found;
}

/** A missing value means the zero value of its type; a field with `coerce` accepts any value. Members are visited by themselves. */
function fits(schema: Schema, value: unknown): boolean {
  if (value === null || value === undefined || schema.coerce !== undefined) return true;
  if (schema.type === 'list') return Array.isArray(value);
  if (schema.type === 'map' || schema.type === 'object') return isJsonMapping(value);
  try {
    decode(schema, value);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

/** Returns the unknown fields with the known names beside them, for error messages, in document order. */
export function findUnknownFields(schema: Schema, value: unknown): readonly UnknownField[] {
  const found: UnknownField[] = [];
  walk(schema, value, (at, _, steps, siblings) => {
    if (at === undefined) found.push({ steps, known: Object.keys(siblings) });
  });
  return found;
}

/** Returns the paths of unknown fields: `spec.zzUnk`, `spec.containers[0].imagee`. */
export const unknownFields = (schema: Schema, value: unknown): readonly string[] =>
  findUnknownFields(schema, value).map(({ steps }) =>
    steps.reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`), ''),
  );
