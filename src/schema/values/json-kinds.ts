/** The error of Go's decoder for a JSON value of the wrong type. Models: Go 1.18 encoding/json UnmarshalTypeError. */
import { bad, good, type Parsed } from './parsed.ts';

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
