/** The patch types: each computes the desired object from the stored one. */
import type { ApiObject } from '../machinery/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, type Patched } from '../patch/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { failure } from '../request/index.ts';

/** Returns the document with a patch applied, not decoded. Apply is not included, because it needs managed fields. */
export function patched(schema: Schema, document: ApiObject, type: 'json' | 'merge' | 'strategic', body: unknown): unknown {
  const result = byType(schema, document, type, body);
  if (result.error !== undefined) throw failure(result.error);
  if (result.ok !== document) checkValues(result.ok);
  return result.ok;
}

/**
 * The maximum number of values of an object that a patch may add to, and of characters in its texts. Bodies have limits of their own, but a
 * sequence of patches has none. It replaces the limit of upstream's store, 1.5 MiB an object.
 */
const MOST_VALUES = 40_000;
const MOST_CHARACTERS = 6 * 1024 * 1024;

/** Refuses a document that is too large. */
export function checkValues(document: unknown): void {
  const left = { values: MOST_VALUES, characters: MOST_CHARACTERS };
  count(document, left);
  if (left.values >= 0 && left.characters >= 0) return;
  const limit = left.values < 0 ? `${MOST_VALUES} values` : `${MOST_CHARACTERS} characters`;
  const message = `Request entity too large: limit is ${limit} in the object that a patch makes; take something away, or use several objects`;
  throw failure({ code: 413, reason: 'RequestEntityTooLarge', message });
}

/** Subtracts the size of a value from the remaining budget; stops when it is used up. */
function count(value: unknown, left: { values: number; characters: number }): void {
  left.values--;
  if (typeof value === 'string') left.characters -= value.length;
  if (left.values < 0 || left.characters < 0 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left.values >= 0; at++) count(value[at], left);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    if (left.values < 0) return;
    left.characters -= key.length;
    count(members[key], left);
  }
}

function byType(schema: Schema, document: ApiObject, type: 'json' | 'merge' | 'strategic', body: unknown): Patched {
  switch (type) {
    case 'json':
      return applyJsonPatch(document, body);
    case 'merge':
      return applyMergePatch(document, body, schema);
    case 'strategic':
      return applyStrategicPatch(schema, document, body);
  }
}
