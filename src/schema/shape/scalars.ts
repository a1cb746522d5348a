/**
 * The decoding in progress, and the readers of values that are not objects, lists or maps, with the conversions and errors of their Go types.
 * Models: encoding/json UnmarshalTypeError.Error.
 */
import { scratch } from '../../engine/index.ts';
import {
  BASE64_DIGITS,
  decodeMicroTime,
  decodeTime,
  formatQuantity,
  good,
  isLong,
  memoised,
  parseInt64,
  parseQuantity,
  RawNumber,
  roundedUp,
} from '../values/index.ts';
import type { Parsed } from '../values/index.ts';
import type { Schema } from './types.ts';

/** A value that does not fit its field; `message` is Go's text, without the sentence that the server puts around it. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** Go's word for a JSON value. With `exact` a number includes its text, because it did not fit a numeric field. */
export function jsonWord(value: unknown, exact: boolean): string {
  if (typeof value === 'number' || value instanceof RawNumber) return exact ? `number ${String(value)}` : 'number';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : Array.isArray(value) ? 'array' : 'object';
}

/** Reads one value. `depth` is the length of the field path to it. A mismatch is recorded in the walk, and the result is `undefined`. */
export type Read = (value: unknown, depth: number) => unknown;

export const walk = scratch({
  /** The first type mismatch. Go continues after a mismatch and reports the first one at the end. */
  mismatch: undefined as string | undefined,
  /** How many structs with a cache enclose the current value. */
  within: 0,
  /** The outermost structs with a cache, where they are to be stored. */
  lasting: undefined as Kept[] | undefined,
  /** The long lists of the value that is replaced, where it has any. */
  revised: undefined as Revised | undefined,
});

/** Long lists in a value that replaces a stored one. */
export interface Revised {
  /** Those of the stored value: their items are canonical and frozen. */
  readonly stored: readonly (readonly unknown[])[];
  /** Revisions of them: their items are frozen, or kept as lasting. */
  readonly lists: (readonly unknown[])[];
}

/** A canonical instance, its input, and the cache that it belongs to. */
export interface Kept {
  readonly seen: WeakMap<object, object>;
  readonly value: object;
  readonly result: object;
}

const path: string[] = scratch([]);
const structs: (string | undefined)[] = scratch([]);

/** Begins a decoding. `lasting` collects the instances to be stored. */
export function beginWalk(lasting?: Kept[], revised?: Revised): void {
  walk.mismatch = undefined;
  walk.lasting = lasting;
  walk.revised = revised;
  walk.within = 0;
  structs[0] = undefined;
}

/** Sets the current field and its Go struct at a depth. */
export function enterField(depth: number, struct: string, field: string): void {
  path[depth] = field;
  structs[depth + 1] = struct;
}

/**
 * Records a mismatch, if it is the first, and returns undefined as the decoded value:
 * `json: cannot unmarshal string into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32`.
 */
export function refuse(value: unknown, depth: number, type: string, exact = false): undefined {
  const struct = structs[depth];
  const place = struct === undefined ? 'value' : `struct field ${struct}.${path.slice(0, depth).join('.')}`;
  walk.mismatch ??= `json: cannot unmarshal ${jsonWord(value, exact)} into Go ${place} of type ${type}`;
  return undefined;
}

/** Freezes a plain value deeply and returns it. A value that is frozen already counts as deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) freezeAll(value);
  return value;
}

/** Most members are texts, which need no call. */
function freezeAll(value: object): void {
  Object.freeze(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) deepFreeze<unknown>(value[at]);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const member = members[name];
    if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) freezeAll(member);
  }
}

type Scalar = Exclude<Schema['type'], 'object' | 'list' | 'map' | 'quantity'>;

const INT32_MAX = 2147483647;
/** From this size on, a JavaScript number has lost its last digits. */
const INT64_LIMIT = 9223372036854775808;

function readInteger(value: unknown, bits: 32 | 64, depth: number, type: string): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && (bits === 64 ? Math.abs(value) <= INT64_LIMIT : value >= -INT32_MAX - 1 && value <= INT32_MAX))
      return value;
    return refuse(value, depth, type, true);
  }
  const whole = value instanceof RawNumber && (bits === 64 || value.text === '-0') ? parseInt64(value.text) : undefined;
  if (whole !== undefined) return isLong(value) ? value : Number(whole);
  return refuse(value, depth, type, true);
}

/**
 * The maximum nesting of free-form values, because later code walks objects recursively. Upstream's own limit of 10,000 is the parser's.
 */
const MAX_DEPTH = 500;

/**
 * Any JSON value, where only long integers keep the text of their number. Returns the value itself when nothing changes. Every member is
 * read once: the copy starts at the first change.
 */
function plain(value: unknown, depth: number, nesting = 0): unknown {
  if (isLong(value)) return value;
  if (typeof value === 'number' || value instanceof RawNumber) return finite(value, depth);
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (nesting === MAX_DEPTH) throw new DecodeError('exceeded max depth');
  const items: [string, unknown][] = Object.entries(value);
  let same = true;
  for (const item of items) {
    const read = plain(item[1], depth, nesting + 1);
    same &&= read === item[1];
    item[1] = read;
  }
  if (same) return value;
  return Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
}

/** Refuses numbers outside the range of a float64. */
function finite(value: number | RawNumber, depth: number): unknown {
  const number = typeof value === 'number' ? value : Number(value.text);
  return Number.isFinite(number) ? number : refuse(value, depth, 'float64', true);
}

/** Returns the reader of a scalar type. Each type has a closure of its own, because decoding spends most of its time here. */
export function scalarReader(kind: Scalar, type: string): (value: unknown, depth: number) => unknown {
  switch (kind) {
    case 'string':
    case 'duration':
      return (value, depth) => (typeof value === 'string' ? value : refuse(value, depth, type));
    case 'boolean':
      return (value, depth) => (typeof value === 'boolean' ? value : refuse(value, depth, type));
    case 'int32':
      return (value, depth) => readInteger(value, 32, depth, type);
    case 'int64':
      return (value, depth) => readInteger(value, 64, depth, type);
    case 'float64':
      return (value, depth) =>
        typeof value === 'number' || value instanceof RawNumber ? finite(value, depth) : refuse(value, depth, type);
    case 'intOrString':
      return (value, depth) => (typeof value === 'string' ? value : readInteger(value, 32, depth, 'int32'));
    case 'time':
      return (value, depth) => readTime(value, depth, timeOf);
    case 'microTime':
      return (value, depth) => readTime(value, depth, microTimeOf);
    case 'bytes':
      return (value, depth) => readBytes(value, depth, type);
    case 'any':
      return (value, depth) => plain(value, depth);
  }
}

const MILLI = -3;

const canonical = (round: boolean): ((text: string) => Parsed<string>) =>
  memoised((text) => {
    const parsed = parseQuantity(text);
    if (parsed.error !== undefined) return parsed;
    return good(formatQuantity(round ? roundedUp(parsed.value, MILLI) : parsed.value));
  }, 4096);
const canonicalQuantity = canonical(false);
const canonicalAmount = canonical(true);

/** A number is read by its text. */
function quantityOf(value: unknown, read: (text: string) => Parsed<string>): string {
  const isWritten = value instanceof RawNumber || typeof value === 'string' || typeof value === 'number';
  const parsed = read(isWritten ? String(value) : JSON.stringify(value));
  if (parsed.error !== undefined) throw new DecodeError(parsed.error);
  return parsed.value;
}
export const readQuantity = (value: unknown): string => quantityOf(value, canonicalQuantity);
export const readAmount = (value: unknown): string => quantityOf(value, canonicalAmount);

const timeOf = memoised(decodeTime, 1024);
const microTimeOf = memoised(decodeMicroTime, 256);

/** The zero time is read as absent. */
function readTime(value: unknown, depth: number, read: (text: string) => Parsed<string | null>): string | undefined {
  if (typeof value !== 'string') return refuse(value, depth, 'string');
  const parsed = read(value);
  if (parsed.error !== undefined) throw new DecodeError(parsed.error);
  return parsed.value ?? undefined;
}

/** Base64 as Go's decoder reads it: line ends are skipped, padding is required. Models: encoding/base64 StdEncoding. */
function readBytes(value: unknown, depth: number, type: string): string | undefined {
  if (typeof value !== 'string') return refuse(value, depth, type);
  if (/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) return value;
  let digits = '';
  let at = 0;
  const corrupt = (position: number): never => {
    throw new DecodeError(`illegal base64 data at input byte ${position}`);
  };
  for (; at < value.length; at += 1) {
    const char = value.charAt(at);
    if (char === '\n' || char === '\r') continue;
    if (char === '=') break;
    if (!BASE64_DIGITS.includes(char)) corrupt(at);
    digits += char;
  }
  const group = digits.length % 4;
  if (at === value.length) return group === 0 ? digits : corrupt(at - group);
  if (group < 2) corrupt(at);
  const padding = value.slice(at).replaceAll(/[\r\n]/g, '');
  if (padding === '='.repeat(4 - group)) return digits + padding;
  return corrupt(padding.length > 4 - group ? at + (4 - group) : value.length);
}
