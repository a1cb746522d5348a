/**
 * JSON merge patch (RFC 7386) with the habits of the library upstream uses: nulls vanish from objects inside new lists,
 * a list as the patch replaces the document, any other non-object is refused. Models: v1.24 vendor/github.com/evanphx/json-patch/merge.go.
 */
import { attempt, badRequest, PatchFailure, tooDeep, type Patched } from './errors.ts';
import { deeperThan, isList, isMap, MAX_DEPTH, member, put, sameJson, sortedMap, withoutNulls, type JsonMap } from './values.ts';

/** The patched document; the same reference when nothing changes. Levels that change come out in key order, as Go encodes them. */
export function applyMergePatch(doc: unknown, patch: unknown): Patched {
  return attempt(() => {
    if (deeperThan(patch, MAX_DEPTH)) throw new PatchFailure(tooDeep);
    if (isMap(patch)) return isMap(doc) ? mergeMaps(doc, patch) : withoutNulls(patch, 'sorted');
    if (isList(patch)) return withoutNulls(patch, 'sorted');
    throw new PatchFailure({ ...badRequest('Invalid JSON Patch'), why: 'a merge patch is an object' });
  });
}

function mergeMaps(doc: JsonMap, patch: JsonMap): JsonMap {
  let merged: Record<string, unknown> | undefined;
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    const present = Object.hasOwn(doc, key);
    if (value === null) {
      if (present) delete (merged ??= { ...doc })[key];
      continue;
    }
    const current = member(doc, key);
    const next = mergeValue(current, value);
    if (!present || next !== current) put((merged ??= { ...doc }), key, next);
  }
  return merged === undefined ? doc : sortedMap(merged);
}

function mergeValue(current: unknown, value: unknown): unknown {
  if (isMap(current)) {
    if (isMap(value)) return mergeMaps(current, value);
    return value; // upstream prunes nulls only where the old value was no object
  }
  const clean = withoutNulls(value, 'sorted');
  return sameJson(current, clean) ? current : clean;
}
