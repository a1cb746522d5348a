/**
 * Fingerprints of plain data, 64 bits in two lanes. The search uses them to distinguish states, so a collision would hide a state. Maps,
 * sets and records count in their order. Values that are not data (a function, a symbol) have no fingerprint: they are refused, with their
 * path.
 */
import { memo, scratch } from './memo.ts';

/** Equal data in the same order have equal fingerprints; different data almost never do. */
export interface Fingerprint {
  readonly a: number;
  readonly b: number;
}

/** Called for each record before it is walked. Returns its fingerprint if that is known already. */
export type Known = (record: object) => Fingerprint | undefined;

export interface Fingerprinter {
  /**
   * The fingerprint of any plain data.
   * @throws {NotData} where a value is not plain data.
   */
  of(value: unknown): Fingerprint;
  /** The fingerprint of a text. */
  text(text: string): Fingerprint;
}

/** Thrown where a value inside plain data is not data, such as a function. */
export class NotData extends Error {
  /** The path of the value from the outside in: member names and indexes, as in `entries.3.matches`. */
  readonly path: string;
  readonly #what: string;
  constructor(what: string, path = '') {
    super(`${path === '' ? 'the value' : path} is ${what}, which is not plain data`);
    this.name = 'NotData';
    this.path = path;
    this.#what = what;
  }
  /** The same, seen from a value that contains this one. */
  within(member: unknown): NotData {
    return new NotData(this.#what, this.path === '' ? String(member) : `${String(member)}.${this.path}`);
  }
}

const PRIME_A = 0x9e3779b1;
const PRIME_B = 0x5f356495;
const PRIME_C = 0x85ebca77;
const PRIME_D = 0xc2b2ae3d;
const LIST = 0x3c6ef372;
const RECORD = 0x5bd1e995;
const MAP = 0x2c1b3c6d;
const SET = 0x297a2d39;
const TEXT = 0x165667b1;
const NUMBER = 0x27d4eb2f;

const FLOAT = scratch(new Float64Array(1));
const WORDS = new Uint32Array(FLOAT.buffer);

/** The empty fingerprint, where sums begin. */
export const NOTHING: Fingerprint = Object.freeze({ a: 0, b: 0 });
/** The fingerprint of several values without an order. Adding and removing a value are cheap. */
export const plus = (one: Fingerprint, other: Fingerprint): Fingerprint => ({ a: (one.a + other.a) | 0, b: (one.b + other.b) | 0 });
/** Removes a value from a sum. */
export const minus = (one: Fingerprint, other: Fingerprint): Fingerprint => ({ a: (one.a - other.a) | 0, b: (one.b - other.b) | 0 });
/** The fingerprint of several values in their order. */
export function chained(...parts: readonly Fingerprint[]): Fingerprint {
  let a = LIST;
  let b = PRIME_D;
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? NOTHING;
    a = Math.imul(a ^ part.a, PRIME_A) + part.b;
    b = Math.imul(b ^ part.b, PRIME_B) + (part.a ^ (a >>> 15));
  }
  return finished(a, b);
}
/** Returns a fingerprint as sixteen hexadecimal digits. */
export const fingerprintText = ({ a, b }: Fingerprint): string =>
  (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');

function finished(first: number, second: number): Fingerprint {
  let a = first;
  let b = second;
  a = Math.imul(a ^ (a >>> 16), PRIME_C) ^ Math.imul(b ^ (b >>> 13), PRIME_D);
  b = Math.imul(b ^ (b >>> 16), PRIME_C) ^ Math.imul(a ^ (a >>> 13), PRIME_D);
  return { a: a | 0, b: b | 0 };
}

function ofText(text: string): Fingerprint {
  let a = TEXT ^ text.length;
  let b = PRIME_B;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, PRIME_A);
    b = Math.imul(b ^ code, PRIME_B);
  }
  return finished(a, b);
}

function ofNumber(value: number): Fingerprint {
  FLOAT[0] = value;
  return finished(NUMBER ^ (WORDS[0] ?? 0), WORDS[1] ?? 0);
}

const UNDEFINED = finished(1, 11);
const NULL = finished(2, 12);
const TRUE = finished(3, 13);
const FALSE = finished(4, 14);

/**
 * Returns a fingerprinter for the data of one run. `known` returns the fingerprint of a record that has one already. Fingerprints of texts
 * are cached. With `ordered` false, maps and sets with equal contents have equal fingerprints, whatever their insertion order.
 */
export function createFingerprinter(known: Known = () => undefined, ordered = true): Fingerprinter {
  const texts = new Map<string, Fingerprint>();
  const text = (value: string): Fingerprint => {
    let print = texts.get(value);
    if (print === undefined) texts.set(value, (print = ofText(value)));
    return print;
  };
  const of = (value: unknown): Fingerprint => {
    switch (typeof value) {
      case 'string':
        return text(value);
      case 'number':
        return ofNumber(value);
      case 'object':
        return value === null ? NULL : (known(value) ?? (ordered ? undefined : unordered(value, of)) ?? ofContents(value, of, text));
      case 'undefined':
        return UNDEFINED;
      case 'boolean':
        return value ? TRUE : FALSE;
      default:
        throw new NotData(`a ${typeof value}`);
    }
  };
  return { of, text };
}

/**
 * Known fingerprints, by what they are of: records that never change. They are no state of a world, because they hold in each of its states.
 */
export const knownPrints = (): WeakMap<object, Fingerprint> => memo(new WeakMap<object, Fingerprint>());

/** Fingerprints of lists by their names: a list with the records of the last one of its name is not walked again. */
export function listPrints(of: (list: readonly unknown[]) => Fingerprint) {
  const last = new Map<string, { readonly list: readonly unknown[]; readonly print: Fingerprint }>();
  return (name: string, list: readonly unknown[]): Fingerprint => {
    const known = last.get(name);
    if (known !== undefined && known.list.length === list.length && list.every((item, at) => item === known.list[at])) return known.print;
    const print = of(list);
    if (list.every((item) => typeof item === 'object' && Object.isFrozen(item))) last.set(name, { list, print });
    return print;
  };
}

type Of = (value: unknown) => Fingerprint;

/** Adds the name of a member to an error about something inside it. */
const within = (error: unknown, member: unknown): unknown => (error instanceof NotData ? error.within(member) : error);

/** The fingerprint of a map or a set as a sum of its items; undefined for any other value. */
function unordered(value: object, of: Of): Fingerprint | undefined {
  if (!(value instanceof Map) && !(value instanceof Set)) return undefined;
  let sum = NOTHING;
  let at: unknown;
  try {
    for (const [key, inner] of (value as ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>).entries()) {
      at = key;
      sum = plus(sum, value instanceof Map ? chained(of(key), of(inner)) : of(inner));
    }
  } catch (error) {
    throw within(error, at);
  }
  return chained({ a: value instanceof Map ? MAP : SET, b: value.size }, sum);
}

function ofContents(value: object, of: Of, text: (value: string) => Fingerprint): Fingerprint {
  if (Array.isArray(value)) return ofList(value, of);
  if (value instanceof Map || value instanceof Set) return ofTable(value, of);
  if (value instanceof WeakMap || value instanceof WeakSet) throw new NotData('a weak collection');
  return ofRecord(value as Readonly<Record<string, unknown>>, of, text);
}

// The loops are written out: a function that mixes would be made anew for each record, and they are most of an exhaustive search.

function ofList(list: readonly unknown[], of: Of): Fingerprint {
  let a = LIST;
  let b = PRIME_C;
  let at = 0;
  try {
    for (; at < list.length; at++) {
      const part = of(list[at]);
      a = Math.imul(a ^ part.a, PRIME_A) + part.b;
      b = Math.imul(b ^ part.b, PRIME_B) + (part.a ^ (a >>> 15));
    }
  } catch (error) {
    throw within(error, at);
  }
  return finished(a, b);
}

function ofTable(table: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, of: Of): Fingerprint {
  const isMap = table instanceof Map;
  let a = isMap ? MAP : SET;
  let b = PRIME_C;
  let at: unknown;
  try {
    for (const [key, inner] of table.entries()) {
      at = key;
      const name = of(key);
      a = Math.imul(a ^ name.a, PRIME_A) + name.b;
      b = Math.imul(b ^ name.b, PRIME_B) + (name.a ^ (a >>> 15));
      if (!isMap) continue;
      const part = of(inner);
      a = Math.imul(a ^ part.a, PRIME_A) + part.b;
      b = Math.imul(b ^ part.b, PRIME_B) + (part.a ^ (a >>> 15));
    }
  } catch (error) {
    throw within(error, at);
  }
  return finished(a, b);
}

function ofRecord(members: Readonly<Record<string, unknown>>, of: Of, text: (value: string) => Fingerprint): Fingerprint {
  let a = RECORD;
  let b = PRIME_C;
  let at = '';
  try {
    for (const name in members) {
      const inner = members[name];
      if (inner === undefined) continue;
      at = name;
      const key = text(name);
      a = Math.imul(a ^ key.a, PRIME_A) + key.b;
      b = Math.imul(b ^ key.b, PRIME_B) + (key.a ^ (a >>> 15));
      const part = of(inner);
      a = Math.imul(a ^ part.a, PRIME_A) + part.b;
      b = Math.imul(b ^ part.b, PRIME_B) + (part.a ^ (a >>> 15));
    }
  } catch (error) {
    throw within(error, at);
  }
  return finished(a, b);
}
