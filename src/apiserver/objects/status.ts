/**
 * API errors: `Status` objects with a reason and, for invalid objects, one cause for each field. Models: apimachinery pkg/api/errors,
 * pkg/util/validation/field.
 */
import type { FieldProblem } from '../../schema/values/index.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The body of every failed request (and of most deletions). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** An error of one field. `detail` is the text after the value, as upstream prints it. */
export type FieldError = FieldProblem;
export type FieldErrorType = FieldProblem['type'];
