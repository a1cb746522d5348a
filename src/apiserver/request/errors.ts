/** Refusals: each `Status` that the server returns for a failure has one constructor. Models: apimachinery pkg/api/errors. */
import type { FieldError, FieldErrorType, Status, StatusCause, StatusDetails } from '../machinery/index.ts';
import { aggregateText, problemBody, quote } from '../../schema/values/index.ts';
import type { Resource } from './request.ts';

/** Thrown to end a request that is refused; `handle` converts it into a response. It never leaves the server. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: Status;
  /** Warnings that are returned with the refusal. */
  warnings: readonly string[] | undefined;
  constructor(status: Status) {
    super(status.message);
    this.status = status;
  }
}

interface Parts {
  readonly code: number;
  readonly message: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly metadata?: Status['metadata'];
}

export function failure({ code, message, reason, details, metadata = {} }: Parts): Refusal {
  return new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

export const about = (name: string | undefined, group: string, kind: string, extra: StatusDetails = {}): StatusDetails => ({
  ...(name === undefined || name === '' ? {} : { name }),
  ...(group === '' ? {} : { group }),
  kind,
  ...extra,
});

/** 404: `leases.coordination.k8s.io "l" not found`. `subresource`: named in the error where a kind reports this as missing. */
export function notFound({ qualified, group, kind: { plural } }: Resource, name: string, subresource?: string): Refusal {
  const what = subresource === undefined ? plural : `${plural}/${subresource}`;
  return failure({
    code: 404,
    reason: 'NotFound',
    message: `${what}${qualified.slice(plural.length)} ${quote(name)} not found`,
    details: about(name, group, what),
  });
}

/** 409: an object of this name exists. */
export const alreadyExists = (resource: Resource, name: string, beingDeleted: boolean): Refusal =>
  failure({
    code: 409,
    reason: 'AlreadyExists',
    details: about(name, resource.group, resource.kind.plural),
    message: `${beingDeleted ? 'object is being deleted: ' : ''}${resource.qualified} ${quote(name)} already exists`,
  });

/** 409: the object has changed, with the reason; `what` as the error names it. */
export const conflictOn = (what: string, name: string, why: string, details: StatusDetails): Refusal =>
  failure({ code: 409, reason: 'Conflict', message: `Operation cannot be fulfilled on ${what} ${quote(name)}: ${why}`, details });

export const conflict = ({ qualified, group, kind }: Resource, name: string, why: string): Refusal =>
  conflictOn(qualified, name, why, about(name, group, kind.plural));

/** With the Kind in place of the resource, as for preconditions of deletions. */
export const conflictOnKind = ({ group, kind: { kind } }: Resource, name: string, why: string): Refusal =>
  conflictOn(group === '' ? kind : `${kind}.${group}`, name, why, about(name, group, kind));

export const MODIFIED = 'the object has been modified; please apply your changes to the latest version and try again';

/** 422 with one cause for each field error; `group` and `kind` as the error names them. */
export const invalidAs = (group: string, kind: string, name: string, errors: readonly FieldError[]): Refusal => {
  const { causes, text } = reportedErrors(errors);
  return failure({
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} ${quote(name)} is invalid: ${text}`,
    details: about(name, group, kind, { causes }),
  });
};

/** 422 with one cause for each field error. */
export const invalid = (resource: Resource, name: string, errors: readonly FieldError[]): Refusal =>
  invalidAs(resource.invalidGroup, resource.kind.shownAs ?? resource.kind.kind, name, errors);

export const badRequest = (message: string): Refusal => failure({ code: 400, reason: 'BadRequest', message });

/** 403 with the reason: `pods "p" is forbidden: …`. */
export const forbidden = (resource: Resource, name: string, why: string, causes?: readonly StatusCause[]): Refusal =>
  failure({
    code: 403,
    reason: 'Forbidden',
    message: name === '' ? `${resource.qualified} is forbidden: ${why}` : `${resource.qualified} ${quote(name)} is forbidden: ${why}`,
    details: about(name, resource.group, resource.kind.plural, causes === undefined ? {} : { causes }),
  });

/** Go errors that are not API errors are returned as a bare 500. */
export const internal = (message: string): Refusal => failure({ code: 500, message });

/** 500 with the reason InternalError. */
export const internalError = (message: string): Refusal =>
  failure({ code: 500, reason: 'InternalError', message: `Internal error occurred: ${message}`, details: { causes: [{ message }] } });

/** 405: the resource does not support the verb. */
export const methodNotAllowed = (): Refusal =>
  failure({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });

/** 404: the server has no such path. */
export const unknownResource = (): Refusal =>
  failure({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });

/** 410: the revision has been compacted; a continue token allows an inconsistent rest of the list. */
export const expired = (message: string, continueToken?: string): Refusal =>
  failure({ code: 410, reason: 'Expired', message, ...(continueToken === undefined ? {} : { metadata: { continue: continueToken } }) });

/** 504: the requested revision does not exist yet. */
export const tooLargeRevision = (asked: number, current: number, mayRetry: boolean): Refusal =>
  failure({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      ...(mayRetry ? { retryAfterSeconds: 1 } : {}),
    },
  });

// Models: apimachinery pkg/api/errors NewInvalid.
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

/** The maximum number of errors, and about the maximum of characters, in one refusal: a body may contain arbitrarily many errors. */
const MOST_REPORTED = 1_000;
const MOST_CHARACTERS = 1 << 20;

/** Returns field errors as causes, and all of them as one text: the single error, or a bracketed list without repetitions. */
function reportedErrors(errors: readonly FieldError[]): { readonly causes: readonly StatusCause[]; readonly text: string } {
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
