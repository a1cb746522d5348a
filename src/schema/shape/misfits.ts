/**
 * Finds every value of a document that does not fit its schema, for authors of files. Decoding reports only the first one, in the server's
 * words, whose order and text are recorded. Here the same readers decode one value at a time.
 */
import { RawNumber } from '../values/index.ts';
import { decode } from './decode.ts';
import { DecodeError } from './decode-error.ts';
import type { Schema } from './types.ts';

/** A value that cannot be decoded as its field: its path and its schema. */
export interface Misfit {
  readonly steps: readonly (string | number)[];
  readonly schema: Schema;
  readonly value: unknown;
}

/** Returns all misfits in document order. */
export function findMisfits(schema: Schema, value: unknown): readonly Misfit[] {
  const found: Misfit[] = [];
  collect(schema, value, [], found);
  return found;
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber);

/** `steps` is the path of the value; it is restored before returning. */
function collect(schema: Schema, value: unknown, steps: (string | number)[], found: Misfit[]): void {
  // A missing value means the zero value of its type; a field with `coerce` accepts any value.
  if (value === null || value === undefined || schema.coerce !== undefined) return;
  const below = (inner: Schema, step: string | number, item: unknown): void => {
    steps.push(step);
    collect(inner, item, steps, found);
    steps.pop();
  };
  const misfit = (): void => void found.push({ steps: [...steps], schema, value });
  switch (schema.type) {
    case 'list':
      if (Array.isArray(value)) for (const [index, item] of value.entries()) below(schema.items, index, item);
      else misfit();
      return;
    case 'map':
      if (isMapping(value)) for (const [key, item] of Object.entries(value)) below(schema.values, key, item);
      else misfit();
      return;
    case 'object':
      if (!isMapping(value)) return misfit();
      for (const [key, item] of Object.entries(value)) {
        const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
        if (field !== undefined) below(field, key, item);
      }
      return;
    default:
      if (!fits(schema, value)) misfit();
  }
}

function fits(schema: Schema, value: unknown): boolean {
  try {
    decode(schema, value);
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}
