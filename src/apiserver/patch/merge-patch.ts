/**
 * JSON merge patch (RFC 7386) with the peculiarities of upstream's library: nulls are dropped from objects inside new lists, a list as the
 * patch replaces the document, any other non-object is refused. Models: v1.24 vendor/github.com/evanphx/json-patch/merge.go.
 */
import { memo } from '../../engine/index.ts';
import { badRequest } from '../request/index.ts';
import { tooDeep } from './errors.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { put } from '../../schema/values/index.ts';
import { deeperThan, isList, isMap, MAX_DEPTH, sameJson, sortedMap, withoutNulls, type JsonMap } from './values.ts';

/**
 * Returns the patched document; the same reference when nothing changes. Changed levels are in key order, as Go encodes them. Levels where
 * the schema declares every member are not sorted, because decoding orders them.
 */
export function applyMergePatch(doc: unknown, patch: unknown, schema?: Schema): unknown {
  // Parts that the schema declares are no deeper than the schema; other parts are checked where they are copied.
  if (schema === undefined || !isMap(patch) || !isMap(doc)) bounded(patch);
  if (isMap(patch)) return isMap(doc) ? mergeMaps(doc, patch, schema) : withoutNulls(patch, 'sorted');
  if (isList(patch)) return withoutNulls(patch, 'sorted');
  throw badRequest('Invalid JSON Patch');
}

function bounded(value: unknown): unknown {
  if (deeperThan(value, MAX_DEPTH)) throw tooDeep();
  return value;
}

function mergeMaps(doc: JsonMap, patch: JsonMap, schema: Schema | undefined): JsonMap {
  const fields = schema?.type === 'object' ? schema.fields : undefined;
  let merged: Record<string, unknown> | undefined;
  let known = fields !== undefined;
  for (const key in patch) {
    const value = patch[key];
    const present = Object.hasOwn(doc, key);
    if (value === null) {
      if (present) delete (merged ??= { ...doc })[key];
      continue;
    }
    const field = fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field === undefined) known = false;
    const current = present ? doc[key] : undefined;
    const next = mergeValue(current, value, field);
    if (!present || next !== current) put((merged ??= { ...doc }), key, next);
  }
  return merged === undefined ? doc : known ? merged : sortedMap(merged);
}

function mergeValue(current: unknown, value: unknown, schema: Schema | undefined): unknown {
  if (isMap(current)) {
    if (isMap(value)) return mergeMaps(current, value, schema);
    return bounded(value); // upstream drops nulls only where the old value was not an object
  }
  const clean = cleaned(value, schema);
  return sameJson(current, clean) ? current : clean;
}

const pure = memo(new WeakSet<readonly unknown[]>());

/** Returns a new value without null members; itself where the schema declares all of it: decoding ignores null members. */
function cleaned(value: unknown, schema: Schema | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (schema?.type === 'list' && isList(value)) {
    // A frozen list may be sent repeatedly, and has been checked before.
    if (pure.has(value)) return value;
    let items: unknown[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const clean = cleaned(value[at], schema.items);
      if (clean !== value[at]) (items ??= [...value])[at] = clean;
    }
    if (items !== undefined) return items;
    if (Object.isFrozen(value)) pure.add(value);
    return value;
  }
  if (schema?.type !== 'object' || !isMap(value)) return withoutNulls(bounded(value), 'sorted');
  let kept: Record<string, unknown> | undefined;
  for (const key in value) {
    const field = Object.hasOwn(schema.fields, key) ? schema.fields[key] : undefined;
    if (field === undefined) return withoutNulls(bounded(value), 'sorted');
    const item = value[key];
    const clean = cleaned(item, field);
    if (clean !== item) (kept ??= { ...value })[key] = clean;
  }
  return kept ?? value;
}
