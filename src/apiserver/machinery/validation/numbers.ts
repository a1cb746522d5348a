/** Validation of numbers that many kinds share. */
import type { FieldError } from '../status.ts';
import { invalid } from './field-errors.ts';

export const MAX_INT32 = 2147483647;
export const inclusiveRange = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** Adds an error to `errors` if a number is negative. */
export function nonNegative(value: number | undefined, field: string, errors: FieldError[]): void {
  if (value !== undefined && value < 0) errors.push(invalid(field, value, 'must be greater than or equal to 0'));
}
