/** Fields of a document that its schema does not know, for clients that ask for strict validation. Models: sigs.k8s.io/json strict errors. */
import { RawNumber } from './raw-number.ts';
import type { Schema } from './types.ts';

/** Their paths in document order: `spec.zzUnk`, `spec.containers[0].imagee`. */
export function unknownFields(schema: Schema, value: unknown): readonly string[] {
  const found: string[] = [];
  look(schema, value, '', found);
  return found;
}

function look(schema: Schema, value: unknown, path: string, found: string[]): void {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return;
  if (schema.type === 'list') {
    if (Array.isArray(value)) value.forEach((item, index) => look(schema.items, item, `${path}[${index}]`, found));
    return;
  }
  if (Array.isArray(value)) return;
  const dot = path === '' ? '' : `${path}.`;
  for (const [key, item] of Object.entries(value)) {
    if (schema.type === 'map') look(schema.values, item, `${dot}${key}`, found);
    else if (schema.type === 'object') {
      const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
      if (field === undefined) found.push(`${dot}${key}`);
      else look(field, item, `${dot}${key}`, found);
    }
  }
}
