/**
 * Scalars as Go prints them in error texts: `%q` for strings, `%v` for numbers. Structs and maps: `go-syntax.ts`.
 * Models: Go 1.18 fmt, strconv.Quote, time.quote.
 */
import { utf8 } from './bytes.ts';
import { RawNumber } from './raw-number.ts';

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
