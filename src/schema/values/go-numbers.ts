/**
 * Whole numbers as Go parses them. Models: Go 1.18 strconv.ParseInt and Atoi in base 10. The error of Go's decoder for a JSON value of the
 * wrong type. Models: Go 1.18 encoding/json UnmarshalTypeError.
 */
import { bad, good, type Parsed } from './parsed.ts';
import { quote } from './go-print.ts';

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

/** The decoder's word for the type of a JSON value. */
function jsonKind(value: unknown): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Returns the error of Go's decoder for a value of another type. */
const wrongJsonType = (found: string, wanted: string): { readonly value?: undefined; readonly error: string } =>
  bad(`json: cannot unmarshal ${found} into Go value of type ${wanted}`);

/** Decodes a value that must be a string. */
export const unmarshalString = (value: unknown): Parsed<string> =>
  typeof value === 'string' ? good(value) : wrongJsonType(jsonKind(value), 'string');
