/**
 * Scalars as Go reads and prints them: whole numbers of 64 bits, percentages, and texts in errors (`%q` for strings, `%v` for numbers).
 * Structs and maps: `apiserver/validation/go-types.ts`. Models: Go 1.18 strconv.ParseInt and Atoi in base 10, fmt, strconv.Quote, time.quote.
 */
import { bad, good, type Parsed, utf8 } from './texts.ts';

/**
 * A number as the client wrote it, where the text matters: `1e3`, `15.0` and integers beyond 2^53. Other JSON numbers are JavaScript
 * numbers. Go refuses `15.0` for an integer and repeats the text in its error, so the parser must keep it. Integers that a JavaScript
 * number cannot hold are stored in this form, too (`isLong`): arithmetic uses the nearest JavaScript number, and output prints the text.
 */
export class RawNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): number {
    return Number(this.text);
  }
  valueOf(): number {
    return Number(this.text);
  }
  toString(): string {
    return this.text;
  }
}

export const MAX_INT64 = 9223372036854775807n;
const MIN_INT64 = -9223372036854775808n;

const INTEGER = /^[+-]?[0-9]+$/;
/** More digits than any int64 has, without leading zeros. */
const TOO_LONG = 20;

/** Parses a decimal int64; undefined: it is malformed or out of range. */
export function parseInt64(text: string): bigint | undefined {
  if (!INTEGER.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, '');
  if (digits.length >= TOO_LONG) return undefined;
  const value = text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
  return value > MAX_INT64 || value < MIN_INT64 ? undefined : value;
}

/** `strconv.Atoi`, with its error text. */
export function atoi(text: string): Parsed<number> {
  const value = parseInt64(text);
  if (value !== undefined) return good(Number(value));
  return bad(`strconv.Atoi: parsing ${quote(text)}: ${INTEGER.test(text) ? 'value out of range' : 'invalid syntax'}`);
}

/** Integers with fewer digits are exact. */
const LONG = /^-?\d{16,19}$/;

/** Whether a value is an integer of 64 bits that a JavaScript number cannot hold exactly. */
export const isLong = (value: unknown): value is RawNumber =>
  value instanceof RawNumber && LONG.test(value.text) && String(Number(value.text)) !== value.text && parseInt64(value.text) !== undefined;

/** Whether a value that was parsed is a mapping: a number with its text is none. */
export const isJsonMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawNumber);

const NAMED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\',
};
const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u;

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0');

/** A string as `%q` prints it. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    const named = NAMED[char];
    if (named !== undefined) out += named;
    else if (point < 0x20 || point === 0x7f) out += `\\x${hex(point, 2)}`;
    else if (point < 0x7f) out += char;
    else if (point >= 0xd800 && point < 0xe000) out += '\ufffd';
    else if (PRINTABLE.test(char)) out += char;
    else out += point < 0x10000 ? `\\u${hex(point, 4)}` : `\\U${hex(point, 8)}`;
  }
  return `${out}"`;
}

/** A string as package `time` quotes it: bytes outside printable ASCII in hexadecimal. */
export function quoteTime(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (point < 0x20 || point >= 0x80) for (const byte of utf8(point)) out += `\\x${hex(byte, 2)}`;
    else out += char === '"' || char === '\\' ? `\\${char}` : char;
  }
  return `${out}"`;
}

/** A string, number or boolean as `%v` prints it; any other value as JSON. */
export function goScalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value instanceof RawNumber ? value.text : JSON.stringify(value);
    default:
      return '<nil>';
  }
}

/** A list of strings as `%#v` prints it. Go mostly turns an empty list of JSON into nil, and so does this. */
export const goStrings = (values: readonly string[] | undefined): string =>
  values === undefined || values.length === 0 ? '[]string(nil)' : `[]string{${values.map(quote).join(', ')}}`;

// Numbers that may be written as percentages (`1`, `"25%"`). Models: v1.24 apimachinery pkg/util/intstr.

/** Returns the number itself, or the percentage of `total`, rounded up or down. */
export function scaledIntOrPercent(value: number | string, total: number, roundUp: boolean): Parsed<number> {
  if (typeof value === 'number') return good(value);
  if (!value.endsWith('%')) return bad('invalid value for IntOrString: invalid type: string is not a percentage');
  return percentOf(value, value.slice(0, -1), total, roundUp);
}

/** The older rule of the StatefulSet controller of v1.24: any string counts as a percentage, wherever its `%` is. */
export function legacyIntOrPercent(value: number | string, total: number, roundUp: boolean): Parsed<number> {
  return typeof value === 'number' ? good(value) : percentOf(value, value.replaceAll('%', ''), total, roundUp);
}

function percentOf(whole: string, digits: string, total: number, roundUp: boolean): Parsed<number> {
  const percent = atoi(digits);
  if (percent.error !== undefined) return bad(`invalid value for IntOrString: invalid value ${quote(whole)}: ${percent.error}`);
  const share = (percent.value * total) / 100;
  return good((roundUp ? Math.ceil(share) : Math.floor(share)) + 0);
}
