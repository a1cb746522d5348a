/** Problems of a file, each with its position: what was expected, what was found, and the nearest correct name. */
import { compareText } from '../values/index.ts';

/** A position in a text; lines and columns count from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly col: number;
}

/**
 * A problem in a file: its position, what was expected, what was found, and the nearest correct name. `formatProblem` prints it on one
 * line.
 */
export interface Problem extends Position {
  readonly path: string;
  readonly expected: string;
  readonly found: string;
  readonly suggestion?: string;
}

/** Prints a problem: `scenarios/a.yaml:4:7: spec.titel: expected one of …, found "titel"; did you mean "title"?` */
export function formatProblem({ file, line, col, path, expected, found, suggestion }: Problem): string {
  const where = path === '' ? '' : `${path}: `;
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return `${file}:${line}:${col}: ${where}expected ${expected}, found ${found}${hint}`;
}

/** Extends a path by one step: `spec` + `steps` + 0 is `spec.steps[0]`. Keys that are not plain names are quoted. */
export function joinPath(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  if (!/^[A-Za-z_$][\w$-]*$/.test(step)) return `${path}[${JSON.stringify(step)}]`;
  return path === '' ? step : `${path}.${step}`;
}

const LONGEST_FOUND = 60;

export function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).length === 0
      ? 'an empty mapping'
      : `a mapping with ${Object.keys(value)
          .slice(0, 3)
          .map((key) => clip(key))
          .join(', ')}`;
  if (typeof value === 'string') return JSON.stringify(clip(value));
  return String(value);
}

const clip = (text: string) => (text.length > LONGEST_FOUND ? `${text.slice(0, LONGEST_FOUND)}…` : text);

export const inReadingOrder = (problems: readonly Problem[]): Problem[] =>
  [...problems].sort((a, b) => (a.file === b.file ? a.line - b.line || a.col - b.col : compareText(a.file, b.file)));
