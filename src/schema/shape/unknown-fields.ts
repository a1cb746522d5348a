/**
 * Fields of a document that its schema does not have, for clients that request strict validation. Models: sigs.k8s.io/json strict errors.
 */
import { RawNumber } from '../values/index.ts';
import type { Schema } from './types.ts';

/** A field that is not in the schema: its path, which ends with its own name, and the names of the fields that are. */
export interface UnknownField {
  readonly steps: readonly (string | number)[];
  readonly known: readonly string[];
}

/** Returns the paths of unknown fields in document order: `spec.zzUnk`, `spec.containers[0].imagee`. */
export const unknownFields = (schema: Schema, value: unknown): readonly string[] =>
  findUnknownFields(schema, value).map(({ steps }) => pathOf(steps));

/** Returns the unknown fields with the known names beside them, for error messages. */
export function findUnknownFields(schema: Schema, value: unknown): readonly UnknownField[] {
  const found: UnknownField[] = [];
  collect(schema, value, [], found);
  return found;
}

const pathOf = (steps: readonly (string | number)[]): string =>
  steps.reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`), '');

/** `steps` is the path of the value; it is restored before returning. */
function collect(schema: Schema, value: unknown, steps: (string | number)[], found: UnknownField[]): void {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return;
  const below = (inner: Schema, step: string | number, item: unknown): void => {
    steps.push(step);
    collect(inner, item, steps, found);
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
