/** A problem of one field, and its text. Models: v1.24 apimachinery pkg/util/validation/field/errors.go. */
import { goScalar, goStrings, quote } from './go-scalars.ts';

export interface FieldProblem {
  readonly type:
    | 'Required'
    | 'Invalid'
    | 'NotSupported'
    | 'Duplicate'
    | 'Forbidden'
    | 'TooLong'
    | 'TooMany'
    | 'NotFound'
    | 'Internal'
    | 'TypeInvalid';
  readonly field: string;
  readonly value?: unknown;
  readonly detail: string;
}

/** A text that is printed unchanged where Go would print a struct: see `shown` in `apiserver/validation/go-types.ts`. */
export class GoText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const TITLES: Readonly<Record<FieldProblem['type'], string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Duplicate: 'Duplicate value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  NotFound: 'Not found',
  Internal: 'Internal error',
  TypeInvalid: 'Invalid value',
};

const VALUELESS: ReadonlySet<FieldProblem['type']> = new Set<FieldProblem['type']>(['Required', 'Forbidden', 'TooLong', 'Internal']);

function printed(value: unknown): string {
  if (value === undefined || value === null) return '"null"';
  if (typeof value === 'string') return quote(value);
  if (value instanceof GoText) return value.text;
  if (Array.isArray(value)) return goStrings(value.map(goScalar));
  return goScalar(value);
}

/** Returns the text of a problem without its field: the message of a cause in a `Status`. */
export function problemBody(problem: FieldProblem): string {
  const head = VALUELESS.has(problem.type) ? TITLES[problem.type] : `${TITLES[problem.type]}: ${printed(problem.value)}`;
  return problem.detail === '' ? head : `${head}: ${problem.detail}`;
}

/** Returns the whole text of a problem: field, then body. */
export const problemText = (problem: FieldProblem): string => `${problem.field}: ${problemBody(problem)}`;

/** Joins error texts: one text unchanged, several in brackets, without repetitions. Models: apimachinery pkg/util/errors Aggregate. */
export function aggregateText(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

/** Returns the error that a value is invalid; `detail` says which values are valid. */
export const invalid = (field: string, value: unknown, detail: string): FieldProblem => ({ type: 'Invalid', field, value, detail });
/** Returns the error that a field is missing; `detail` may give the reason. */
export const required = (field: string, detail = ''): FieldProblem => ({ type: 'Required', field, detail });
/** Returns the error that a field may not be set or changed; `detail` gives the reason. */
export const forbidden = (field: string, detail: string): FieldProblem => ({ type: 'Forbidden', field, detail });
