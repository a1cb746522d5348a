/** Field errors as causes of a `Status`, and all of them as one text. Models: apimachinery pkg/api/errors NewInvalid. */
import type { FieldError, FieldErrorType, StatusCause } from '../vocabulary/index.ts';
import { aggregateText, problemBody, problemText } from '../../grammar/values/index.ts';

const REASON: Readonly<Record<FieldErrorType, string>> = {
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Duplicate: 'FieldValueDuplicate',
  Forbidden: 'FieldValueForbidden',
  TooLong: 'FieldValueTooLong',
  TooMany: 'FieldValueTooMany',
  NotFound: 'FieldValueNotFound',
  Internal: 'InternalError',
  TypeInvalid: 'FieldValueTypeInvalid',
};

export const causeOf = (error: FieldError): StatusCause => ({
  reason: REASON[error.type],
  message: problemBody(error),
  field: error.field,
});

/** The error itself, or a bracketed list in which a text that repeats is said once. */
export const fieldErrorsText = (errors: readonly FieldError[]): string => aggregateText(errors.map(problemText));
