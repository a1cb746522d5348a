/** Reads scenario files and folders: every problem of every file at once, nothing half-read. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { nearest } from '../../cluster/values/index.ts';
import { formatProblem, parseScenarios, type Scenario } from '../../lab/scenario/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { BadInput } from './exit.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface LoadedScenario { readonly scenario: Scenario; readonly file: string }

const isScenarioFile = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

/** Files below a folder in byte order; `manifests` folders hold what scenarios refer to, and `broken` ones what is run on request. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'manifests' || entry.name === 'broken' || entry.name.startsWith('.') ? [] : filesBelow(path);
      return isScenarioFile(entry.name) ? [path] : [];
    });

const expand = (path: string): string[] => {
  let stat;
  try { stat = statSync(path); } catch {
    const folder = dirname(path);
    let names: string[] = [];
    try { names = readdirSync(folder); } catch { /* the folder is missing too: no suggestion */ }
    const near = nearest(path.slice(path.lastIndexOf('/') + 1), names);
    throw new BadInput([`${path}: no such file or folder${near === undefined ? '' : `; did you mean ${join(folder, near)}?`}`]);
  }
  if (stat.isDirectory()) {
    const files = filesBelow(path);
    if (files.length === 0) throw new BadInput([`${path}: no scenario files (.yaml, .yml, .json) in this folder`]);
    return files;
  }
  if (stat.size > MAX_FILE_BYTES) throw new BadInput([`${path}: ${stat.size} bytes, at most ${MAX_FILE_BYTES} are read`]);
  return [path];
};

const readBeside = (path: string, from: string): string | undefined => {
  try { return readFileSync(resolve(dirname(from), path), 'utf8'); } catch { return undefined; }
};

/** All scenarios of files and folders, in order; throws BadInput with every problem. */
export function loadScenarios(paths: readonly string[]): readonly LoadedScenario[] {
  const words = vocabulary();
  const problems: string[] = [];
  const loaded: LoadedScenario[] = [];
  for (const path of paths) {
    let files: string[];
    try { files = expand(path); } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(...error.lines);
      continue;
    }
    for (const file of files) {
      const shown = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
      const parsed = parseScenarios(readFileSync(file, 'utf8'), { ...words, file: shown, readFile: readBeside });
      if ('problems' in parsed) problems.push(...parsed.problems.map(formatProblem));
      else loaded.push(...parsed.scenarios.map((scenario) => ({ scenario, file: shown })));
    }
  }
  if (problems.length > 0) throw new BadInput(problems);
  return loaded;
}

/** The one scenario that a command needs. */
export function loadOne(path: string): LoadedScenario {
  const loaded = loadScenarios([path]);
  const [one] = loaded;
  if (one === undefined || loaded.length > 1) throw new BadInput([`${path}: expected one scenario, found ${loaded.length}; name a single file`]);
  return one;
}
