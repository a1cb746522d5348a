/** Reads scenario files and folders: every problem of every file at once, nothing half-read. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { nearest, compareText } from '../../grammar/values/index.ts';
import type { RulesMode } from '../../apiserver/vocabulary/index.ts';
import { parseScenarios, type Scenario } from '../../lab/scenario/index.ts';
import { formatProblem } from '../../grammar/yaml/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { type Own, ownLoader } from '../own/index.ts';
import { shellWord } from '../report/index.ts';
import { BadInput } from './exit.ts';
import type { Io } from './io.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** As messages name it. */ readonly file: string;
  /** Options that change the run, for the command that runs it again; absent: none. */ readonly flags?: string;
  /** What is brought along. */ readonly own: Own;
}

/** From where files are named, and what is brought along. */
export type Place = Pick<Io, 'cwd' | 'own'>;

export interface Loaded {
  readonly scenarios: readonly LoadedScenario[];
  /** Every file that was read, those that scenarios refer to included. */
  readonly files: readonly string[];
  /** Everything wrong, a line each. */
  readonly problems: readonly string[];
}

const isScenarioFile = (name: string): boolean => /\.(ya?ml|json)$/.test(name);
/** A folder of scenarios that are broken on purpose: run when it is named itself. */
export const ON_REQUEST = 'broken';
/** Folders that a folder's run leaves out: what scenarios refer to, and what is run on request. */
const LEFT_OUT: ReadonlySet<string> = new Set(['manifests', ON_REQUEST, 'node_modules']);

/** Files below a folder in byte order. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path);
      return isScenarioFile(entry.name) ? [path] : [];
    });

/** The message for a path that is not there, with the nearest name in its folder. */
export function missing(path: string, cwd: string): string {
  const folder = dirname(path);
  let names: string[] = [];
  try {
    names = readdirSync(resolve(cwd, folder));
  } catch {
    /* the folder is missing too: no suggestion */
  }
  const near = nearest(basename(path), names);
  return `${path}: no such file or folder${near === undefined ? '' : `; did you mean ${join(folder, near)}?`}`;
}

const expand = (path: string, cwd: string): string[] => {
  const full = resolve(cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) throw new BadInput(missing(path, cwd));
  if (stat.isDirectory()) {
    const files = filesBelow(full);
    if (files.length === 0) throw new BadInput(`${path}: no scenario files (.yaml, .yml, .json) in this folder`);
    return files;
  }
  if (stat.size > MAX_FILE_BYTES) throw new BadInput(`${path}: ${stat.size} bytes, at most ${MAX_FILE_BYTES} are read`);
  return [full];
};

/** A path as people say it: relative, unless that leads outside. */
const shownAs = (full: string, cwd: string): string => {
  const path = relative(cwd, full);
  return path === '' || path.startsWith('..') ? full : path;
};

/** All scenarios of files and folders, in order, and every problem of all of them. */
export function readScenarios(paths: readonly string[], { cwd, own: asked = { with: [], config: false } }: Place): Loaded {
  const loader = ownLoader(asked, cwd);
  const problems: string[] = [];
  const scenarios: LoadedScenario[] = [];
  const files: string[] = [];
  const readFile = (path: string, from: string): string | undefined => {
    const full = resolve(cwd, dirname(from), path);
    files.push(full);
    try {
      return readFileSync(full, 'utf8');
    } catch {
      return undefined;
    }
  };
  for (const path of paths) {
    let found: string[];
    try {
      found = expand(path, cwd);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(...error.lines);
      files.push(resolve(cwd, path));
      continue;
    }
    for (const full of found) {
      files.push(full);
      const file = shownAs(full, cwd);
      const brought = loader.of(full);
      files.push(...brought.files);
      if ('problems' in brought) {
        problems.push(...brought.problems);
        continue;
      }
      const { own } = brought;
      const parsed = parseScenarios(readFileSync(full, 'utf8'), { ...vocabulary(own.definitions), file, readFile });
      if ('problems' in parsed) problems.push(...parsed.problems.map(formatProblem));
      else scenarios.push(...parsed.scenarios.map((scenario) => ({ scenario, file, own, ...flagsOf(own) })));
    }
  }
  // What several scenarios bring along is wrong once.
  return { scenarios, files, problems: [...new Set(problems)] };
}

/** What brings the same along once more. */
const flagsOf = ({ sources: { words } }: Own): { readonly flags?: string } =>
  words.length === 0 ? {} : { flags: words.map(shellWord).join(' ') };

/** The scenarios of files and folders that are all well formed; throws BadInput with every problem otherwise. */
export function loadScenarios(paths: readonly string[], place: Place): readonly LoadedScenario[] {
  const { scenarios, problems } = readScenarios(paths, place);
  if (problems.length > 0) throw new BadInput(problems);
  return scenarios;
}

/** Those scenarios that have a name; all without one. */
export function named(scenarios: readonly LoadedScenario[], name: string | undefined): readonly LoadedScenario[] {
  if (name === undefined) return scenarios;
  const found = scenarios.filter(({ scenario }) => scenario.name === name);
  if (found.length > 0) return found;
  const near = nearest(
    name,
    scenarios.map(({ scenario }) => scenario.name),
  );
  throw new BadInput(`no scenario is named ${JSON.stringify(name)}${near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`}`);
}

/** The scenario under the rules that a command was told; without them its own, or its domain's. */
export const underRules = (loaded: LoadedScenario, rules: RulesMode | undefined): LoadedScenario =>
  rules === undefined
    ? loaded
    : {
        ...loaded,
        scenario: { ...loaded.scenario, rules },
        flags: [`--rules ${rules}`, ...(loaded.flags === undefined ? [] : [loaded.flags])].join(' '),
      };

/** What is brought along where there is no scenario; throws BadInput with everything wrong with it. */
export function ownOf({ cwd, own = { with: [], config: false } }: Place): Own {
  const brought = ownLoader(own, cwd).of(undefined);
  if ('problems' in brought) throw new BadInput(brought.problems);
  return brought.own;
}

/** The one scenario that a command needs. */
export function loadOne(path: string, place: Place, name?: string): LoadedScenario {
  const found = named(loadScenarios([path], place), name);
  const [one] = found;
  if (one === undefined || found.length > 1)
    throw new BadInput(
      `${path}: expected one scenario, found ${found.length} (${found.map(({ scenario }) => scenario.name).join(', ')}); choose with --scenario NAME`,
    );
  return one;
}
