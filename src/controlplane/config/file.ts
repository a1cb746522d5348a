/**
 * Reads the object of a configuration file against a table of fields: canonical values by path, wrong types, and unknown names with the
 * nearest known one.
 */
import { didYouMean, isMapping } from '../../schema/values/index.ts';
import { show } from './report.ts';
import { type Fields, isZero, readValue } from './settings.ts';

interface Finding {
  readonly path: string;
  readonly message: string;
}

export interface ReadFile {
  /** Only the given values, without zeros that v1.24 treats as absent. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly errors: readonly Finding[];
  readonly unknown: readonly Finding[];
  /** Zeros that v1.24 treats as absent, by path. */
  readonly zeros: ReadonlyMap<string, unknown>;
}

export interface FileType {
  readonly apiVersion: string;
  readonly kind: string;
  readonly fragment: boolean;
}

/** Reads a file. Wrong types, unknown names and a wrong `apiVersion` or `kind` are among the problems; nothing is thrown. */
export function readFile(fields: Fields, file: unknown, type: FileType): ReadFile {
  const values = new Map<string, unknown>();
  const errors: Finding[] = [];
  const unknown: Finding[] = [];
  const zeros = new Map<string, unknown>();
  const walk = (of: Fields, object: Readonly<Record<string, unknown>>, prefix: string): void => {
    for (const [name, value] of Object.entries(object)) {
      const path = prefix + name;
      const field = Object.hasOwn(of, name) ? of[name] : undefined;
      if (field === undefined) {
        if (prefix !== '' || (name !== 'apiVersion' && name !== 'kind'))
          unknown.push({ path, message: `unknown field ${path}${didYouMean(name, Object.keys(of))}` });
      } else if (value === null || value === undefined) {
        continue;
      } else if ('fields' in field) {
        if (isMapping(value)) walk(field.fields, value, `${path}.`);
        else errors.push({ path, message: `${path}: expected a mapping, found ${show(value)}` });
      } else {
        const read = readValue(field.type, value);
        if (read.expected !== undefined) errors.push({ path, message: `${path}: expected ${read.expected}, found ${show(value)}` });
        else if (field.pointer === true || !isZero(read.value)) values.set(path, read.value);
        else zeros.set(path, read.value);
      }
    }
  };
  if (isMapping(file)) {
    errors.push(...typeErrors(file, type));
    walk(fields, file, '');
  } else if (file !== undefined && file !== null) {
    errors.push({ path: '', message: `expected a mapping with apiVersion, kind and settings, found ${show(file)}` });
  } else if (file === null) {
    errors.push(...typeErrors({}, type));
  }
  return { values, errors, unknown, zeros };
}

export function typeErrors(file: Readonly<Record<string, unknown>>, { apiVersion, kind, fragment }: FileType): readonly Finding[] {
  const errors: Finding[] = [];
  for (const [path, wanted] of [
    ['apiVersion', apiVersion],
    ['kind', kind],
  ] as const) {
    const found = file[path];
    if (found === wanted || (fragment && found === undefined)) continue;
    errors.push({ path, message: `${path}: expected ${wanted}, found ${show(found)}` });
  }
  return errors;
}
