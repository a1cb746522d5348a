/**
 * Sorting with the same result on every host. Some of upstream's comparisons are not an order (A before B, B before C, C before A). The
 * result then depends on the algorithm, which differs between engines and their versions.
 */
import { compareText } from './texts.ts';

/** Lists shorter than this are sorted by insertion. */
const SHORT = 64;

type Compare<T> = (a: T, b: T) => number;

/**
 * Returns a new list, sorted stably: by insertion if short, otherwise merged from two halves. A negative result of `compare` means that `a`
 * comes before `b`.
 */
export function sortedBy<T>(list: readonly T[], compare: Compare<T>): T[] {
  if (list.length < SHORT) return inserted([...list], compare);
  const half = list.length >> 1;
  return merged(sortedBy(list.slice(0, half), compare), sortedBy(list.slice(half), compare), compare);
}

/** Keeps the sorted run at the start (reversed if descending), and inserts the other items one by one. */
function inserted<T>(list: T[], compare: Compare<T>): T[] {
  for (let at = runAtStart(list, compare); at < list.length; at++) {
    const [each] = list.splice(at, 1) as [T];
    let [from, to] = [0, at];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (compare(each, list[middle] as T) < 0) to = middle;
      else from = middle + 1;
    }
    list.splice(from, 0, each);
  }
  return list;
}

/** Returns the length of the sorted run at the start, after reversing it if it was descending. */
function runAtStart<T>(list: T[], compare: Compare<T>): number {
  if (list.length < 2) return list.length;
  const goesBefore = (at: number): boolean => compare(list[at] as T, list[at - 1] as T) < 0;
  const turned = goesBefore(1);
  let end = 2;
  while (end < list.length && goesBefore(end) === turned) end++;
  if (turned) list.splice(0, end, ...list.slice(0, end).toReversed());
  return end;
}

function merged<T>(left: readonly T[], right: readonly T[], compare: Compare<T>): T[] {
  const all: T[] = [];
  let [at, beside] = [0, 0];
  while (at < left.length && beside < right.length)
    all.push((compare(right[beside] as T, left[at] as T) < 0 ? right[beside++] : left[at++]) as T);
  return all.concat(left.slice(at), right.slice(beside));
}

/** Binary search: the index of the first of ascending numbers that is not below `wanted`; the length of the list if all are. */
export const placeAmong = (ascending: readonly number[], wanted: number): number => bisect(ascending, (each) => each < wanted);

/** Binary search: the number of items at the start of a list for which `isBefore` holds. */
export function bisect<T>(list: ArrayLike<T>, isBefore: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds to a number in a table; one that becomes 0 is removed. */
export function bump<K>(numbers: Map<K, number>, key: K, by = 1): number {
  const number = (numbers.get(key) ?? 0) + by;
  if (number === 0) numbers.delete(key);
  else numbers.set(key, number);
  return number;
}

/** Returns the value under a key; one that is not there yet is made and kept. */
export function keptIn<K, V>(table: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const known = table.get(key);
  if (known !== undefined) return known;
  const made = make();
  table.set(key, made);
  return made;
}

/** Adds an item to the list under a key. */
export function pushTo<K, V>(lists: Map<K, V[]>, key: K, item: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Adds a member to the set under a key. */
export function addTo<K, V>(sets: Map<K, Set<V>>, key: K, member: V): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([member]));
  else set.add(member);
}

/** Removes a member from the collection under a key; one that becomes empty is removed. */
export function removeFrom<K, V>(tables: Map<K, { readonly size: number; delete(member: V): boolean }>, key: K, member: V): void {
  const table = tables.get(key);
  table?.delete(member);
  if (table?.size === 0) tables.delete(key);
}

export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the members of a mapping; of anything else none. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isMapping(value) ? value : {});

type Optional<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** Sets an own member, also with the key whose assignment would set the prototype. */
export function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  else map[key] = value;
}

/**
 * Returns a copy in which some members have other values, or are added at the end. It is made member by member: what a spread makes has a new
 * hidden class each time that it is frozen or gets a further member, and code for one class does not apply to the next.
 */
export function copyWith<T extends object>(object: T, members: Partial<T>): T {
  // The one key that cannot be assigned.
  if (Object.hasOwn(object, '__proto__') || Object.hasOwn(members, '__proto__')) return { ...object, ...members };
  const copy: Partial<T> = {};
  for (const name in object) if (Object.hasOwn(object, name)) copy[name] = object[name];
  for (const name in members) if (Object.hasOwn(members, name)) copy[name] = members[name];
  return copy as T;
}

type Present<T> = { readonly [K in Exclude<keyof T, Optional<T>>]: T[K] } & { readonly [K in Optional<T>]?: Exclude<T[K], undefined> };

/** Returns the members that are not undefined. */
export function present<T extends object>(members: T): Present<T> {
  const kept: Record<string, unknown> = {};
  // Members are assigned, because lists of entries cost four times as much. One key cannot be assigned. A helper must not assign them: the
  // write barrier ignores an object only in the function that makes it, and a run that goes back would undo the assignments.
  if (Object.hasOwn(members, '__proto__'))
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
  for (const name in members) if (Object.hasOwn(members, name) && members[name] !== undefined) kept[name] = members[name];
  return kept as never;
}

/** For members that are omitted when they are empty. */
export const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** For statuses, whose zeros are omitted. */
export const unlessZero = (count: number): number | undefined => (count === 0 ? undefined : count);

export function append<T>(into: T[], ...lists: readonly (readonly T[])[]): void {
  // By index: most lists are empty, and an iterator for each costs more than the loop.
  for (let which = 0; which < lists.length; which++) {
    const list = lists[which];
    if (list !== undefined) for (let at = 0; at < list.length; at++) into.push(list[at] as T);
  }
}

export function repeats<T>(): (value: T) => boolean {
  const seen = new Set<T>();
  return (value) => {
    if (seen.has(value)) return true;
    seen.add(value);
    return false;
  };
}

/** Returns the members named in `first`, in that order, then the others sorted by name. An added member needs no entry in `first`. */
export function inOrder<T>(members: readonly T[], nameOf: (member: T) => string, first: readonly string[]): readonly T[] {
  const ranks = new Map(first.map((name, at) => [name, at]));
  const rankOf = (member: T): number => ranks.get(nameOf(member)) ?? first.length;
  return members.toSorted((a, b) => rankOf(a) - rankOf(b) || compareText(nameOf(a), nameOf(b)));
}

export const own = <T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** Returns the middle one of some numbers, the upper of two; undefined: there is none. */
export const median = (numbers: readonly number[]): number | undefined => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
