/** The shipped scenarios, and what is recorded of their runs in `test/golden`. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { readScenarios, type LoadedScenario } from '../../src/surfaces/cli/load.ts';
import { readWording, writtenWording, type Wording } from './wording.ts';

export const root = resolve(import.meta.dirname, '../..');
export const goldenFolder = join(root, 'test/golden');
/** Each sentence of the golden texts, once; and, after an empty line, the digests of all runs, which sentences are part of. */
export const wordingFile = join(goldenFolder, 'wording.txt');

/** Folders of scenarios; those of the second break on purpose. */
export const FOLDERS = ['scenarios', 'scenarios/broken'] as const;
export type Folder = (typeof FOLDERS)[number];

interface Shipped {
  readonly scenarios: readonly LoadedScenario[];
  readonly problems: readonly string[];
}

/** What has been read in this process: reading takes seconds, and several test files need it. */
const known = new Map<Folder, Shipped>();

/** Returns the scenarios of a folder and what is wrong with its files. */
export function shipped(folder: Folder): Shipped {
  const read = known.get(folder) ?? readScenarios([folder], { cwd: root });
  known.set(folder, read);
  return read;
}

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

/** Digests of the scenarios with their own seeds, by name. */
export type Digests = ReadonlyMap<string, string>;

export interface Recorded {
  readonly wording: Wording;
  readonly digests: Digests;
}

/** Returns the sentences and the digests of all shipped scenarios. */
export function recorded(): Recorded {
  const [sentences = '', digests = ''] = (textOf(wordingFile) ?? '').split('\n\n');
  const lines = digests.split('\n').filter((line) => line !== '');
  return { wording: readWording(sentences), digests: new Map(lines.map((line) => line.split(' ') as [string, string])) };
}

/** Returns the recorded digests. A run that has them is the recorded run, wherever it is made. */
export const recordedDigests = (): Digests => recorded().digests;

export const writtenRecord = ({ wording, digests }: Recorded): string =>
  `${writtenWording(wording)}\n${[...digests]
    .map(([name, digest]) => `${name} ${digest}\n`)
    .sort()
    .join('')}`;
