/**
 * Fields of a document that its schema does not know, for clients that ask for strict validation. Models: sigs.k8s.io/json strict errors.
 */
import { RawNumber } from '../values/index.ts';
import type { Schema } from './types.ts';

/** A field that nobody knows: the way to it, its own name last, and the names that are known there. */
export interface UnknownField {
  readonly steps: readonly (string | number)[];
  readonly known: readonly string[];
}

/** Their paths in document order: `spec.zzUnk`, `spec.containers[0].imagee`. */
export const unknownFields = (schema: Schema, value: unknown): readonly string[] =>
  findUnknownFields(schema, value).map(({ steps }) => pathOf(steps));

/** The same with what a helpful message needs. */
export function findUnknownFields(schema: Schema, value: unknown): readonly UnknownField[] {
  const found: UnknownField[] = [];
  look(schema, value, [], found);
  return found;
}

const pathOf = (steps: readonly (string | number)[]): string =>
  steps.reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`), '');

/** `steps` is the way to the value; it is put back as it was. */
function look(schema: Schema, value: unknown, steps: (string | number)[], found: UnknownField[]): void {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return;
  const below = (inner: Schema, step: string | number, item: unknown): void => {
    steps.push(step);
    look(inner, item, steps, found);
    steps.pop();
  };
  if (schema.type === 'list') {
    if (Array.isArray(value))
      value.forEach((item, index) => {
        below(schema.items, index, item);
      });
    return;
  }
  if (Array.isArray(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (schema.type === 'map') below(schema.values, key, item);
    else if (schema.type === 'object') {
      const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
      if (field === undefined) found.push({ steps: [...steps, key], known: Object.keys(schema.fields) });
      else below(field, key, item);
    }
  }
}
