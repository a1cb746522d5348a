/** JSON values in patches: safe with keys such as __proto__, and with shared unchanged parts. */
import { isLong } from '../../schema/shape/index.ts';
import { compareText, put } from '../../schema/values/index.ts';

export type JsonMap = { readonly [key: string]: unknown };

/** The maximum nesting of patches and field sets; deeper input is refused before any recursion. */
export const MAX_DEPTH = 500;

/** Numbers that keep their text are objects, but not maps. */
export function isMap(value: unknown): value is JsonMap {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Returns the own property of a map; never an inherited one (`constructor`, `__proto__`). */
export const member = (map: JsonMap, key: string): unknown => (Object.hasOwn(map, key) ? map[key] : undefined);

/** Returns the own property at a path; undefined where there is none. */
export const memberAt = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isMap(inner) ? member(inner, name) : undefined), value);

/** Returns a copy with one member set; the same map when it has this value already. */
export function withMember(map: JsonMap, key: string, value: unknown): JsonMap {
  if (Object.hasOwn(map, key) && Object.is(map[key], value)) return map;
  const copy: Record<string, unknown> = { ...map };
  put(copy, key, value);
  return copy;
}

/** Returns a copy without the member; the same map when it does not have it. */
export function withoutMember(map: JsonMap, key: string): JsonMap {
  if (!Object.hasOwn(map, key)) return map;
  const copy: Record<string, unknown> = { ...map };
  delete copy[key];
  return copy;
}

/** Returns the keys in the order in which Go prints and encodes maps. */
export const sortedKeys = (map: JsonMap): string[] => Object.keys(map).sort(compareText);

/** Returns the same members in key order, as Go's encoder writes a map. */
export function sortedMap(map: JsonMap): JsonMap {
  const sorted: Record<string, unknown> = {};
  for (const key of sortedKeys(map)) put(sorted, key, map[key]);
  return sorted;
}

const FREE = (): void => {};

/** Whether two values are equal JSON, regardless of the order of keys. `count` is called with the number of compared members. */
export function sameJson(a: unknown, b: unknown, count: (members: number) => void = FREE): boolean {
  if (Object.is(a, b)) return true;
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    count(a.length);
    for (let at = 0; at < a.length; at++) if (!sameJson(a[at], b[at], count)) return false;
    return true;
  }
  if (isLong(a)) return isLong(b) && a.text === b.text;
  if (!isMap(a) || !isMap(b)) return a === b;
  const size = sizeOf(a);
  count(size);
  for (const key in a) if (!Object.hasOwn(b, key) || !sameJson(a[key], b[key], count)) return false;
  return sizeOf(b) === size;
}

/** The number of own members, counted without building a list. */
function sizeOf(map: JsonMap): number {
  let size = 0;
  for (const _ in map) size++;
  return size;
}

/** Whether a value nests deeper than `limit`; its recursion is bounded by `limit`. */
export function deeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (isList(value)) {
    for (let at = 0; at < value.length; at++) if (deeperThan(value[at], limit - 1)) return true;
    return false;
  }
  if (!isMap(value)) return false;
  for (const key in value) if (deeperThan(value[key], limit - 1)) return true;
  return false;
}

const isBoxed = (value: unknown): value is { toJSON(): unknown } =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';

/** Returns the value with numbers that keep their text made plain, except long integers; itself when there are none. */
export function unboxed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) {
    // Such numbers are rare, and this runs for every patch, so nothing is allocated before the first one.
    let items: unknown[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const item = unboxed(value[at]);
      if (item !== value[at]) (items ??= [...value])[at] = item;
    }
    return items ?? value;
  }
  if (isMap(value)) {
    let copy: Record<string, unknown> | undefined;
    for (const key in value) {
      const item = unboxed(value[key]);
      if (!Object.is(item, value[key])) put((copy ??= { ...value }), key, item);
    }
    return copy ?? value;
  }
  return isBoxed(value) && !isLong(value) ? value.toJSON() : value;
}

/** Returns the value without null members at any depth (null items are kept); itself when there are none. */
export function withoutNulls(value: unknown, order: 'kept' | 'sorted'): unknown {
  if (isList(value)) {
    const items = value.map((item) => withoutNulls(item, order));
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  if (!isMap(value)) return value;
  const kept: Record<string, unknown> = {};
  let changed = false;
  const keys = order === 'sorted' ? sortedKeys(value) : Object.keys(value);
  for (const key of keys) {
    const item = value[key];
    const clean = withoutNulls(item, order);
    if (clean !== item || item === null) changed = true;
    if (item !== null) put(kept, key, clean);
  }
  return changed || order === 'sorted' ? kept : value;
}
