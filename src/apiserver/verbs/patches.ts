/** The four languages of patches: each makes the object a client wants of the stored one. */
import type { ApiObject } from '../vocabulary/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, type Patched } from '../patch/index.ts';
import type { Schema } from '../../grammar/schema/index.ts';
import { failure } from '../request/index.ts';

/** The document with a patch applied, not decoded yet. Apply is not among them: it needs to know who owns what. */
export function patched(schema: Schema, document: ApiObject, type: 'json' | 'merge' | 'strategic', body: unknown): unknown {
  const result = byType(schema, document, type, body);
  if (result.error !== undefined) throw failure(result.error);
  if (result.ok !== document) checkValues(result.ok);
  return result.ok;
}

/**
 * Values that an object may have for a patch to add to it: bodies have a limit of their own, but patches, one after the other, do not. In
 * the place of the limit that upstream's store has, of 1.5 MiB an object.
 */
const MOST_VALUES = 40_000;

/** Refuses what has become too large to be looked at in reasonable time. */
export function checkValues(document: unknown): void {
  if (valuesIn(document, MOST_VALUES) >= 0) return;
  const message = `Request entity too large: limit is ${MOST_VALUES} values in the object that a patch makes; take something away, or use several objects`;
  throw failure({ code: 413, reason: 'RequestEntityTooLarge', message });
}

/** How many of so many values are left when these are counted; negative when there are more. */
function valuesIn(value: unknown, left: number): number {
  let rest = left - 1;
  if (rest < 0 || typeof value !== 'object' || value === null) return rest;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest >= 0; at++) rest = valuesIn(value[at], rest);
    return rest;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) {
    if (rest < 0) break;
    rest = valuesIn(members[key], rest);
  }
  return rest;
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
