/** Readers of values that are not objects, lists or maps, with the conversions and errors of their Go types. */
import { DecodeError } from './decode-error.ts';
import {
  decodeMicroTime,
  decodeTime,
  formatQuantity,
  good,
  isLong,
  memoised,
  parseQuantity,
  RawNumber,
  roundedUp,
  type Parsed,
} from '../values/index.ts';
import type { Schema } from './types.ts';

export type Refuse = (value: unknown, depth: number, type: string, exact?: boolean) => undefined;
type Scalar = Exclude<Schema['type'], 'object' | 'list' | 'map' | 'quantity'>;

const INT32_MAX = 2147483647;
/** From this size on, a JavaScript number has lost its last digits. */
const INT64_LIMIT = 9223372036854775808;
const INT64_MAX = 9223372036854775807n;
/** The length of the longest int64 in characters. */
const INT64_LENGTH = 20;

function readInteger(value: unknown, bits: 32 | 64, depth: number, type: string, refuse: Refuse): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value) && (bits === 64 ? Math.abs(value) <= INT64_LIMIT : value >= -INT32_MAX - 1 && value <= INT32_MAX))
      return value === 0 ? 0 : value;
    return refuse(value, depth, type, true);
  }
  if (value instanceof RawNumber && bits === 64 && value.text.length <= INT64_LENGTH && /^-?\d+$/.test(value.text)) {
    const big = BigInt(value.text);
    if (big <= INT64_MAX && big >= -INT64_MAX - 1n) return isLong(value) ? value : Number(big);
  }
  if (value instanceof RawNumber && value.text === '-0') return 0;
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
function plain(value: unknown, depth: number, refuse: Refuse, nesting = 0): unknown {
  if (isLong(value)) return value;
  if (typeof value === 'number' || value instanceof RawNumber) return finite(value, depth, refuse);
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (nesting === MAX_DEPTH) throw new DecodeError('exceeded max depth');
  const items: [string, unknown][] = Object.entries(value);
  let same = true;
  for (const item of items) {
    const read = plain(item[1], depth, refuse, nesting + 1);
    same &&= read === item[1];
    item[1] = read;
  }
  if (same) return value;
  return Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
}

/** Refuses numbers outside the range of a float64. */
function finite(value: number | RawNumber, depth: number, refuse: Refuse): unknown {
  const number = typeof value === 'number' ? value : Number(value.text);
  return Number.isFinite(number) ? number : refuse(value, depth, 'float64', true);
}

/** Returns the reader of a scalar type. Each type has a closure of its own, because decoding spends most of its time here. */
export function scalarReader(kind: Scalar, type: string, refuse: Refuse): (value: unknown, depth: number) => unknown {
  switch (kind) {
    case 'string':
    case 'duration':
      return (value, depth) => (typeof value === 'string' ? value : refuse(value, depth, type));
    case 'boolean':
      return (value, depth) => (typeof value === 'boolean' ? value : refuse(value, depth, type));
    case 'int32':
      return (value, depth) => readInteger(value, 32, depth, type, refuse);
    case 'int64':
      return (value, depth) => readInteger(value, 64, depth, type, refuse);
    case 'float64':
      return (value, depth) =>
        typeof value === 'number' || value instanceof RawNumber ? finite(value, depth, refuse) : refuse(value, depth, type);
    case 'intOrString':
      return (value, depth) => (typeof value === 'string' ? value : readInteger(value, 32, depth, 'int32', refuse));
    case 'time':
      return (value, depth) => readTime(value, depth, refuse, timeOf);
    case 'microTime':
      return (value, depth) => readTime(value, depth, refuse, microTimeOf);
    case 'bytes':
      return (value, depth) => readBytes(value, depth, type, refuse);
    case 'any':
      return (value, depth) => plain(value, depth, refuse);
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
  const parsed = read(
    value instanceof RawNumber
      ? value.text
      : typeof value === 'string' || typeof value === 'number'
        ? String(value)
        : JSON.stringify(value),
  );
  if (parsed.error !== undefined) throw new DecodeError(parsed.error);
  return parsed.value;
}
export const readQuantity = (value: unknown): string => quantityOf(value, canonicalQuantity);
export const readAmount = (value: unknown): string => quantityOf(value, canonicalAmount);

const timeOf = memoised((text: string) => decodeTime(text), 1024);
const microTimeOf = memoised((text: string) => decodeMicroTime(text), 256);

/** The zero time is read as absent. */
function readTime(value: unknown, depth: number, refuse: Refuse, read: (text: string) => Parsed<string | null>): string | undefined {
  if (typeof value !== 'string') return refuse(value, depth, 'string');
  const parsed = read(value);
  if (parsed.error !== undefined) throw new DecodeError(parsed.error);
  return parsed.value ?? undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 as Go's decoder reads it: line ends are skipped, padding is required. Models: encoding/base64 StdEncoding. */
function readBytes(value: unknown, depth: number, type: string, refuse: Refuse): string | undefined {
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
    if (!ALPHABET.includes(char)) corrupt(at);
    digits += char;
  }
  const group = digits.length % 4;
  if (at === value.length) return group === 0 ? digits : corrupt(at - group);
  if (group < 2) corrupt(at);
  const padding = value.slice(at).replaceAll(/[\r\n]/g, '');
  if (padding === '='.repeat(4 - group)) return digits + padding;
  return corrupt(padding.length > 4 - group ? at + (4 - group) : value.length);
}
