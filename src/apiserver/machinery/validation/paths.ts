/** Rules of file paths inside volumes. Models: v1.24 pkg/apis/core/validation validateLocalDescendingPath and kin. */
import type { FieldError } from '../status.ts';
import { invalid } from './field-errors.ts';

export const noBacksteps = (path: string, field: string): FieldError[] =>
  path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];

/** Relative, and never upwards. */
export const descendingPath = (path: string, field: string): FieldError[] => [
  ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
  ...noBacksteps(path, field),
];

/** The same for a file a volume projects: its name must not look like a step upwards either. */
export const projectedPath = (path: string, field: string): FieldError[] => [
  ...descendingPath(path, field),
  ...(path.startsWith('..') && !path.startsWith('../') ? [invalid(field, path, "must not start with '..'")] : []),
];
