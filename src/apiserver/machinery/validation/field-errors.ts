/** Constructors of field errors. Models: v1.24 apimachinery pkg/util/validation/field. */
import type { FieldError } from '../status.ts';

/** After this many errors, rules about pairs stop: a refusal prints fewer. */
export const ENOUGH_ERRORS = 10_000;

/** Returns the error that a field is missing; `detail` may give the reason. */
export const required = (field: string, detail = ''): FieldError => ({ type: 'Required', field, detail });
/** Returns the error that a value is invalid; `detail` says which values are valid. */
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({ type: 'Invalid', field, value, detail });
/** Returns the error that a value is not among the supported ones, which are listed in the given order. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
});
/** Returns the error that a value is repeated; `field` is the path of the repetition, `spec.items[1]`. */
export const duplicate = (field: string, value: unknown): FieldError => ({ type: 'Duplicate', field, value, detail: '' });
/** Returns the error that a field may not be set or changed; `detail` gives the reason. */
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });
/** Returns the error that a referenced object does not exist. */
export const notFound = (field: string, value: unknown): FieldError => ({ type: 'NotFound', field, value, detail: '' });
/** Returns the error of a check that failed itself. */
export const internal = (field: string, detail: string): FieldError => ({ type: 'Internal', field, detail });
/** Returns the error that a value has more than `max` bytes. */
export const tooLong = (field: string, value: unknown, max: number): FieldError => ({
  type: 'TooLong',
  field,
  value,
  detail: `must have at most ${max} bytes`,
});
/** Returns the error that a list has more than `max` items. */
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'TooMany',
  field,
  value: actual,
  detail: `must have at most ${max} items`,
});
