/** Which tests reach a file: the imports of all sources and tests, backwards. Types are left out, because the compiler checks them. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Imports, re-exports, `import('…')` and `new URL('…', import.meta.url)` of relative paths; not `import type`. */
const IMPORTED = /(?:\b(?:import|export)\b(?! type\b)(?:[^'"`;()]*?\bfrom)?\s*\(?\s*|new URL\(\s*)(['"])(\.[^'"\n]+)\1/g;

/** Every TypeScript file of the project, from the root. */
export const sourceFiles = (): readonly string[] =>
  ['src', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .sort(),
  );

export const isTest = (path: string): boolean => path.endsWith('.test.ts');

/** Files by what they import. */
export type Importers = ReadonlyMap<string, readonly string[]>;

/** Returns the importers of each file. */
export function importersOf(files: readonly string[], read = (path: string): string => readFileSync(join(root, path), 'utf8')): Importers {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const [, , specifier = ''] of read(file).matchAll(IMPORTED)) {
      const target = join(dirname(file), specifier).replaceAll('\\', '/');
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [file]);
      else known.push(file);
    }
  return importers;
}

/** Returns every file that reaches one of these, with its distance; 0: one of these. */
export function reaching(importers: Importers, changed: readonly string[]): ReadonlyMap<string, number> {
  const distances = new Map(changed.map((path) => [path, 0]));
  // A map yields what is added to it meanwhile.
  for (const [path, distance] of distances)
    for (const importer of importers.get(path) ?? []) if (!distances.has(importer)) distances.set(importer, distance + 1);
  return distances;
}

/** Returns the folders that may have tests of a file, the nearest first: those of its own path under `test`, and its parents. */
export function foldersBeside(file: string): readonly string[] {
  const [top = '', ...rest] = file.split('/');
  return rest.slice(1).map((_, depth) => `${[top === 'src' ? 'test' : top, ...rest.slice(0, rest.length - 1 - depth)].join('/')}/`);
}
