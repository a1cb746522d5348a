/** Words for what is wrong with a field. Models: v1.24 apimachinery pkg/util/validation/field. */
import type { FieldError } from '../status.ts';

/** Errors after which rules about pairs need not go on: a refusal tells fewer. */
export const ENOUGH_ERRORS = 10_000;

/** The error that a field must be there; `detail` may say why. */
export const required = (field: string, detail = ''): FieldError => ({ type: 'Required', field, detail });
/** The error that a value is not one the field takes; `detail` says what it takes. */
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({ type: 'Invalid', field, value, detail });
/** Not one of the known values; they are listed in the order given. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
});
/** The error that a value stands twice where each must be another; `field` is its path, `spec.items[1]`. */
export const duplicate = (field: string, value: unknown): FieldError => ({ type: 'Duplicate', field, value, detail: '' });
/** The error that a field may not be set or changed; `detail` says why. */
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail });
export const notFound = (field: string, value: unknown): FieldError => ({ type: 'NotFound', field, value, detail: '' });
export const internal = (field: string, detail: string): FieldError => ({ type: 'Internal', field, detail });
export const tooLong = (field: string, value: unknown, max: number): FieldError => ({
  type: 'TooLong',
  field,
  value,
  detail: `must have at most ${max} bytes`,
});
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'TooMany',
  field,
  value: actual,
  detail: `must have at most ${max} items`,
});
