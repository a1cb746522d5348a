/** Error texts of Go's `encoding/json`, as far as clients see them. Models: encoding/json UnmarshalTypeError.Error. */
import { RawNumber } from '../values/index.ts';

/** A value that does not fit its field; `message` is Go's text, without the sentence that the server puts around it. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** Go's word for a JSON value. With `exact` a number includes its text, because it did not fit a numeric field. */
export function jsonWord(value: unknown, exact: boolean): string {
  if (value instanceof RawNumber) return exact ? `number ${value.text}` : 'number';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return exact ? `number ${String(value)}` : 'number';
    case 'boolean':
      return 'bool';
    default:
      return 'object';
  }
}

/** `json: cannot unmarshal string into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32`. */
export const cannotUnmarshal = (word: string, struct: string | undefined, path: readonly string[], goType: string): string =>
  struct === undefined
    ? `json: cannot unmarshal ${word} into Go value of type ${goType}`
    : `json: cannot unmarshal ${word} into Go struct field ${struct}.${path.join('.')} of type ${goType}`;
