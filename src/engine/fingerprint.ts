/**
 * Fingerprints of plain data, 64 bits in two lanes. The search uses them to distinguish states, so a collision would hide a state. Maps,
 * sets and records count in their order. Values that are not data (a function, a symbol) have no fingerprint: they are refused, with their
 * path.
 */

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
  constructor(what: string, path: readonly string[]) {
    super(`${path.length === 0 ? 'the value' : path.join('.')} is ${what}, which is not plain data`);
    this.name = 'NotData';
    this.path = path.join('.');
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

const FLOAT = new Float64Array(1);
const WORDS = new Uint32Array(FLOAT.buffer);

/** The empty fingerprint, where sums begin. */
export const NOTHING: Fingerprint = Object.freeze({ a: 0, b: 0 });
/** The fingerprint of several values without an order. Adding and removing a value are cheap. */
export const plus = (one: Fingerprint, other: Fingerprint): Fingerprint => ({ a: (one.a + other.a) | 0, b: (one.b + other.b) | 0 });
/** Removes a value from a sum. */
export const minus = (one: Fingerprint, other: Fingerprint): Fingerprint => ({ a: (one.a - other.a) | 0, b: (one.b - other.b) | 0 });
/** The fingerprint of several values in their order. */
export function chained(...parts: readonly Fingerprint[]): Fingerprint {
  let [a, b] = [LIST, PRIME_D];
  for (const part of parts) {
    a = Math.imul(a ^ part.a, PRIME_A) + part.b;
    b = Math.imul(b ^ part.b, PRIME_B) + (part.a ^ (a >>> 15));
  }
  return finished(a, b);
}
/** Returns a fingerprint as sixteen hexadecimal digits. */
export const fingerprintText = ({ a, b }: Fingerprint): string =>
  (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0');

function finished(first: number, second: number): Fingerprint {
  let [a, b] = [first, second];
  a = Math.imul(a ^ (a >>> 16), PRIME_C) ^ Math.imul(b ^ (b >>> 13), PRIME_D);
  b = Math.imul(b ^ (b >>> 16), PRIME_C) ^ Math.imul(a ^ (a >>> 13), PRIME_D);
  return { a: a | 0, b: b | 0 };
}

function ofText(text: string): Fingerprint {
  let [a, b] = [TEXT ^ text.length, PRIME_B];
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

const CONSTANTS = new Map<unknown, Fingerprint>([
  [undefined, finished(1, 11)],
  [null, finished(2, 12)],
  [true, finished(3, 13)],
  [false, finished(4, 14)],
]);

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
  const of = (value: unknown, path: string[]): Fingerprint => {
    switch (typeof value) {
      case 'string':
        return text(value);
      case 'number':
        return ofNumber(value);
      case 'object':
        return value === null
          ? constant(null)
          : (known(value) ?? (ordered ? undefined : unordered(value, path, of)) ?? ofRecord(value, path, of, text));
      case 'undefined':
      case 'boolean':
        return constant(value);
      default:
        throw new NotData(`a ${typeof value}`, path);
    }
  };
  return { of: (value) => of(value, []), text };
}

const constant = (value: unknown): Fingerprint => CONSTANTS.get(value) ?? NOTHING;

type Of = (value: unknown, path: string[]) => Fingerprint;

/** The fingerprint of a map or a set as a sum of its items; undefined for any other value. */
function unordered(value: object, path: string[], of: Of): Fingerprint | undefined {
  if (!(value instanceof Map) && !(value instanceof Set)) return undefined;
  let sum = NOTHING;
  for (const [key, inner] of (value as ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>).entries()) {
    path.push(String(key));
    sum = plus(sum, value instanceof Map ? chained(of(key, path), of(inner, path)) : of(inner, path));
    path.pop();
  }
  return chained({ a: value instanceof Map ? MAP : SET, b: value.size }, sum);
}

function ofRecord(value: object, path: string[], of: Of, text: (value: string) => Fingerprint): Fingerprint {
  let [a, b] = [RECORD, PRIME_C];
  const mix = (part: Fingerprint): void => {
    a = Math.imul(a ^ part.a, PRIME_A) + part.b;
    b = Math.imul(b ^ part.b, PRIME_B) + (part.a ^ (a >>> 15));
  };
  const member = (name: string, inner: unknown): void => {
    path.push(name);
    mix(of(inner, path));
    path.pop();
  };
  if (Array.isArray(value)) {
    a = LIST;
    for (let at = 0; at < value.length; at++) member(String(at), value[at]);
  } else if (value instanceof Map) {
    a = MAP;
    for (const [key, inner] of value as ReadonlyMap<unknown, unknown>) {
      mix(of(key, path));
      member(String(key), inner);
    }
  } else if (value instanceof Set) {
    a = SET;
    for (const inner of value as ReadonlySet<unknown>) mix(of(inner, path));
  } else if (value instanceof WeakMap || value instanceof WeakSet) throw new NotData('a weak collection', path);
  else {
    const members = value as Readonly<Record<string, unknown>>;
    for (const name in members) {
      const inner = members[name];
      if (inner === undefined) continue;
      mix(text(name));
      member(name, inner);
    }
  }
  return finished(a, b);
}
