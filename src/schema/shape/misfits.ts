/**
 * Every value of a document that does not fit its schema, each by itself: for whoever writes files. Decoding tells one, in the words of
 * the server, whose order and text are recorded; here the same readers are asked about one value at a time.
 */
import { RawNumber } from '../values/index.ts';
import { decode } from './decode.ts';
import { DecodeError } from './decode-error.ts';
import type { Schema } from './types.ts';

/** A value that cannot be read as its field: the way to it, and the schema that it stands for. */
export interface Misfit {
  readonly steps: readonly (string | number)[];
  readonly schema: Schema;
  readonly value: unknown;
}

/** All of them in document order. */
export function findMisfits(schema: Schema, value: unknown): readonly Misfit[] {
  const found: Misfit[] = [];
  look(schema, value, [], found);
  return found;
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber);

/** `steps` is the way to the value; it is put back as it was. */
function look(schema: Schema, value: unknown, steps: (string | number)[], found: Misfit[]): void {
  // Nothing stands for the zero value of every type; what a kind coerces may be anything.
  if (value === null || value === undefined || schema.coerce !== undefined) return;
  const below = (inner: Schema, step: string | number, item: unknown): void => {
    steps.push(step);
    look(inner, item, steps, found);
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
