/**
 * Lists in a strategic merge patch. They are merged by key or as sets and then ordered: the patch's order first, then the document's order
 * for items that the patch does not name. Models: v1.24 apimachinery pkg/util/strategicpatch/patch.go (mergeSlice, normalizeElementOrder).
 */
import { internal } from '../request/index.ts';
import { unprocessable } from './errors.ts';
import { goKind, goText, goType, goValue } from './go-text.ts';
import { isMap, isList, member, type JsonMap } from './values.ts';

type Items = readonly unknown[];

interface ListMerge {
  readonly mergeKey: string | undefined;
  /** Whether the patch is a `$deleteFromPrimitiveList`. */
  readonly deletes: boolean;
  readonly mergeItem: (item: JsonMap, change: JsonMap) => JsonMap;
}

/** Merges a patch into a list with the strategy merge. */
export function mergeLists(original: Items, patch: Items, { mergeKey, deletes, mergeItem }: ListMerge): Items {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) !== 'map') {
    if (deletes) return withoutItems(original, patch);
    const merged = [...new Set([...original, ...patch])];
    return inOrder(original, merged, patch, original, undefined);
  }
  if (mergeKey === undefined) throw internal('cannot merge lists without merge key for struct');
  const { kept, changes } = takeDirectives(original, patch, mergeKey);
  const merged = [...kept];
  const positions = new Map<unknown, number>();
  merged.forEach((item, at) => {
    const key = isMap(item) ? member(item, mergeKey) : undefined;
    if (!positions.has(key)) positions.set(key, at);
  });
  for (const change of changes) {
    const key = keyOf(change, mergeKey);
    const at = positions.get(key);
    const item = at === undefined ? undefined : merged[at];
    if (at === undefined || !isMap(item)) positions.set(key, merged.push(change) - 1);
    else merged[at] = mergeItem(item, change);
  }
  return inOrder(original, merged, changes, kept, mergeKey);
}

/** Handles `$setElementOrder`: merges the list if the patch has it, and orders the result. Returns undefined when neither has a list. */
export function orderedLists(
  original: Items | undefined,
  patch: Items | undefined,
  order: Items,
  mergeKey: string | undefined,
  merge: (original: Items, patch: Items) => Items,
): Items | undefined {
  checkOrder(patch ?? [], order, mergeKey);
  if (original === undefined && patch === undefined) return undefined;
  const merged = original === undefined ? (patch ?? []) : patch === undefined ? original : merge(original, patch);
  elementKind(original ?? [], patch ?? []);
  return inOrder(original ?? [], merged, order, original ?? [], mergeKey);
}

function withoutItems(original: Items, deleted: Items): Items {
  const [only] = deleted;
  if (deleted.length === 1) return original.includes(only) ? original.filter((item) => item !== only) : original;
  const gone = new Set(deleted);
  return original.some((item) => gone.has(item)) ? original.filter((item) => !gone.has(item)) : original;
}

/** Splits a patch into deletions, which are applied, and changes. `$patch: replace` on any item drops the whole original. */
function takeDirectives(original: Items, patch: Items, mergeKey: string): { kept: Items; changes: readonly JsonMap[] } {
  const changes: JsonMap[] = [];
  const deleted = new Set<unknown>();
  let replaces = false;
  for (const item of patch) {
    if (!isMap(item)) continue;
    if (!Object.hasOwn(item, '$patch')) {
      changes.push(item);
      continue;
    }
    const directive = item['$patch'];
    if (directive === 'delete') deleted.add(keyOf(item, mergeKey));
    else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw internal('merging lists cannot yet be specified in the patch');
    else throw internal(`unknown patch type: ${goText(directive)} in map: ${goValue(item)}`);
  }
  if (replaces) return { kept: changes, changes: [] };
  const survives = (item: unknown): boolean => !isMap(item) || !Object.hasOwn(item, mergeKey) || !deleted.has(item[mergeKey]);
  return { kept: deleted.size === 0 ? original : original.filter(survives), changes };
}

/** Returns the items in their final order; the original list itself when nothing changes. */
function inOrder(original: Items, merged: Items, patchOrder: Items, serverOrder: Items, mergeKey: string | undefined): Items {
  const key = (item: unknown): unknown => (mergeKey === undefined ? item : keyOf(item, mergeKey));
  const ranks = (list: Items): Map<unknown, number> => {
    const found = new Map<unknown, number>();
    list.forEach((item, at) => {
      const k = key(item);
      if (!found.has(k)) found.set(k, at);
    });
    return found;
  };
  const named = ranks(patchOrder);
  const live = ranks(serverOrder);
  const by =
    (rank: Map<unknown, number>) =>
    (a: unknown, b: unknown): number =>
      (rank.get(key(a)) ?? 0) - (rank.get(key(b)) ?? 0);
  const right = merged.filter((item) => named.has(key(item))).sort(by(named));
  const left = merged.filter((item) => !named.has(key(item))).sort(by(live));
  const all = interleave(left, right, (item) => live.get(key(item)));
  return all.length === original.length && all.every((item, i) => item === original[i]) ? original : all;
}

/** Inserts each item of `left` before the first item of `right` that follows it in the live list. */
function interleave(left: Items, right: Items, rank: (item: unknown) => number | undefined): Items {
  const all: unknown[] = [];
  let i = 0;
  for (const item of right) {
    const at = rank(item);
    while (at !== undefined && i < left.length && (rank(left[i]) ?? Infinity) < at) all.push(left[i++]);
    all.push(item);
  }
  return all.concat(left.slice(i));
}

/** The items of the patch must be in the given order; deletions may be anywhere. */
function checkOrder(patch: Items, order: Items, mergeKey: string | undefined): void {
  if (order.length === 0 || patch.length === 0) return;
  let next = 0;
  for (const item of patch) {
    if (mergeKey !== undefined && !isMap(item)) throw internal(`expected a map[string]interface {}, but received a ${goType(item)}`);
    if (isMap(item) && Object.hasOwn(item, '$patch')) continue;
    while (next < order.length && !sameKey(item, order[next], mergeKey)) next++;
    if (next >= order.length)
      throw internal(`The order in patch list:\n${goValue(patch)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`);
    next++;
  }
}

const sameKey = (a: unknown, b: unknown, mergeKey: string | undefined): boolean =>
  mergeKey === undefined ? a === b : keyOf(a, mergeKey) === keyOf(b, mergeKey);

function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isMap(item)) throw internal(`expected a map[string]interface {}, but received a ${goType(item)}`);
  if (!Object.hasOwn(item, mergeKey)) throw internal(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  return item[mergeKey];
}

/** Returns the common kind of all elements. */
function elementKind(original: Items, patch: Items): string {
  let kind: string | undefined;
  for (let at = 0; at < original.length + patch.length; at++) {
    const item = at < original.length ? original[at] : patch[at - original.length];
    const found = goKind(item);
    if (isList(item) && kind === undefined) throw unprocessable('lists of lists are not supported');
    if (kind !== undefined && found !== kind)
      throw internal(`list element types are not identical: [${goValue(original)} ${goValue(patch)}]`);
    kind = found;
  }
  if (kind === undefined) throw internal('no elements in any of the given slices');
  return kind;
}
