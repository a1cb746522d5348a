/** The shipped scenarios, and what is recorded of their runs in `test/golden`. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readScenarios, type LoadedScenario } from '../../src/surfaces/cli/load.ts';

export const root = resolve(import.meta.dirname, '../..');
export const goldenFolder = join(root, 'test/golden');
/** Each sentence of the golden texts, once. */
export const wordingFile = join(goldenFolder, 'wording.txt');
/** The digest of each scenario's run with its own seed, by name. */
const digestsFile = join(goldenFolder, 'digests.txt');

/** Folders of scenarios; those of the second break on purpose. */
export const FOLDERS = ['scenarios', 'scenarios/broken'] as const;
export type Folder = (typeof FOLDERS)[number];

export const shipped = (folder: Folder): { readonly scenarios: readonly LoadedScenario[]; readonly problems: readonly string[] } =>
  readScenarios([folder], { cwd: root });

/** The golden text of a scenario file. */
export const goldenOf = (file: string): string =>
  join(
    goldenFolder,
    `${relative('scenarios', file)
      .replaceAll('\\', '/')
      .replace(/\.\w+$/, '')}.txt`,
  );

/** Returns the text of a file; undefined: there is none. */
export const textOf = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

export type Digests = ReadonlyMap<string, string>;

/** Returns the recorded digests of all shipped scenarios. A run that has them is the recorded run, wherever it is made. */
export const recordedDigests = (): Digests =>
  new Map(
    (textOf(digestsFile) ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [string, string]),
  );

/** The path and the text of a record of digests. */
export const writtenDigests = (digests: Digests): readonly [path: string, text: string] => [
  digestsFile,
  [...digests]
    .map(([name, digest]) => `${name} ${digest}\n`)
    .sort()
    .join(''),
];
