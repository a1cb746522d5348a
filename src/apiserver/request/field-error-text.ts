/** Field errors as causes of a `Status`, and as one text. Models: apimachinery pkg/api/errors NewInvalid. */
import type { FieldError, FieldErrorType, StatusCause } from '../machinery/index.ts';
import { aggregateText, problemBody } from '../../schema/values/index.ts';

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

/** Returns a field error as a cause of a `Status`. */
export const causeOf = (error: FieldError): StatusCause => ({
  reason: REASON[error.type],
  message: problemBody(error),
  field: error.field,
});

/** The maximum number of errors, and about the maximum of characters, in one refusal: a body may contain arbitrarily many errors. */
const MOST_REPORTED = 1_000;
const MOST_CHARACTERS = 1 << 20;

/** Returns field errors as causes, and all of them as one text: the single error, or a bracketed list without repetitions. */
export function reportedErrors(errors: readonly FieldError[]): { readonly causes: readonly StatusCause[]; readonly text: string } {
  const causes: StatusCause[] = [];
  const texts: string[] = [];
  let characters = 0;
  for (const error of errors) {
    if (causes.length >= MOST_REPORTED || characters >= MOST_CHARACTERS) break;
    const cause = causeOf(error);
    causes.push(cause);
    texts.push(`${cause.field ?? ''}: ${cause.message ?? ''}`);
    characters += texts.at(-1)?.length ?? 0;
  }
  if (causes.length < errors.length) texts.push(`and ${errors.length - causes.length} more errors`);
  return { causes, text: aggregateText(texts) };
}
