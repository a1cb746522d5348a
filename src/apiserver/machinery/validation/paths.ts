/** Validation of file paths inside volumes. Models: v1.24 pkg/apis/core/validation validateLocalDescendingPath and similar functions. */
import type { FieldError } from '../status.ts';
import { invalid } from './field-errors.ts';

/** Refuses a path with `..` as a step. */
export const noBacksteps = (path: string, field: string): FieldError[] =>
  path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];

/** The path must be relative, without `..`. */
export const descendingPath = (path: string, field: string): FieldError[] => [
  ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
  ...noBacksteps(path, field),
];

/** The path of a projected file: its name must not begin with `..` either. */
export const projectedPath = (path: string, field: string): FieldError[] => [
  ...descendingPath(path, field),
  ...(path.startsWith('..') && !path.startsWith('../') ? [invalid(field, path, "must not start with '..'")] : []),
];
