/** Reads scenario files and folders: every problem of every file at once, nothing half-read. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { nearest, compareText } from '../../grammar/values/index.ts';
import type { RulesMode } from '../../apiserver/vocabulary/index.ts';
import { parseScenarios, scenarioHead, type Scenario } from '../../lab/scenario/index.ts';
import { formatProblem } from '../../grammar/yaml/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { type Own, ownLoader } from '../own/index.ts';
import { shellWord } from '../report/index.ts';
import { BadInput } from './exit.ts';
import { linesInstead, readText, systemSays } from './files.ts';
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
  /** What is wrong with files that nobody named, but that lie in a folder: the others can run. */
  readonly skipped: readonly string[];
  /** What is odd and stands in nobody's way. */
  readonly notes: readonly string[];
}

const isScenarioFile = (name: string): boolean => /\.(ya?ml|json)$/.test(name);
/** A folder of scenarios that are broken on purpose: run when it is named itself. */
export const ON_REQUEST = 'broken';
/** Folders that a folder's run leaves out: what scenarios refer to, and what is run on request. */
const LEFT_OUT: ReadonlySet<string> = new Set(['manifests', ON_REQUEST, 'node_modules']);

/** Files below a folder in byte order; folders that cannot be read are told. */
function filesBelow(folder: string, tell: (problem: string) => void, cwd: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const reason = systemSays(error);
    if (reason === undefined) throw error;
    tell(`${shownAs(folder, cwd)}: cannot be read: ${reason}`);
    return [];
  }
  return entries
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path, tell, cwd);
      return isScenarioFile(entry.name) ? [path] : [];
    });
}

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

interface Found {
  readonly files: readonly string[];
  readonly inFolder: boolean;
  /** Folders below that cannot be read. */
  readonly problems: readonly string[];
}

function expand(path: string, cwd: string): Found {
  const full = resolve(cwd, path);
  let stat;
  try {
    stat = statSync(full, { throwIfNoEntry: false });
  } catch (error) {
    const reason = systemSays(error);
    if (reason === undefined) throw error;
    throw new BadInput(`${path}: cannot be read: ${reason}`);
  }
  if (stat === undefined) throw new BadInput(missing(path, cwd));
  if (stat.isDirectory()) {
    const problems: string[] = [];
    const files = filesBelow(full, (problem) => problems.push(problem), cwd);
    if (files.length === 0)
      throw new BadInput(problems.length > 0 ? problems : `${path}: no scenario files (.yaml, .yml, .json) in this folder`);
    return { files, inFolder: true, problems };
  }
  return { files: [full], inFolder: false, problems: [] };
}

/** A path as people say it: relative, unless that leads outside. */
const shownAs = (full: string, cwd: string): string => {
  const path = relative(cwd, full);
  return path === '' || path.startsWith('..') ? full : path;
};

/** So many problems of a file are told; a file of another sort altogether has thousands. */
const TOLD = 50;

interface ReadOptions {
  /** What is brought along. */
  readonly own: Own;
  /** Whether manifests without a scenario are one. */
  readonly plain: boolean;
  readonly notes: string[];
  readFile(path: string, from: string): string | undefined;
}

/** A file's name as that of a scenario. */
const nameOf = (file: string): string =>
  basename(file)
    .replace(/\.[^.]+$/, '')
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '') || 'manifests';

/** What is said of manifests that ran without a scenario. */
const plainNote = (file: string, scenario: Scenario): string =>
  [
    `${file} holds manifests and no scenario: they are applied to three nodes ${scenario.untilMs === undefined ? 'and run until nothing more happens' : 'and run for an hour, since a CronJob fires for ever'}; pods of Jobs end after 10 s.`,
    'To say what is done to them and what must come of it, begin the file with',
    ...scenarioHead(scenario).map((line) => `  ${line}`),
  ].join('\n');

/** The scenarios of one file; throws BadInput with everything that is wrong. */
function readOne(full: string, file: string, { own, plain, readFile, notes }: ReadOptions): readonly LoadedScenario[] {
  const { size } = statSync(full, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > MAX_FILE_BYTES) throw new BadInput(`${file}: ${size} bytes, at most ${MAX_FILE_BYTES} are read`);
  const text = readText(full, file);
  const instead = linesInstead(text, file);
  if (instead !== undefined) throw new BadInput(instead);
  const parsed = parseScenarios(text, { ...vocabulary(own.definitions), file, readFile, ...(plain ? { plain: nameOf(file) } : {}) });
  if ('scenarios' in parsed && parsed.plain === true) notes.push(...parsed.scenarios.map((scenario) => plainNote(file, scenario)));
  if ('scenarios' in parsed) return parsed.scenarios.map((scenario) => ({ scenario, file, own, ...flagsOf(own) }));
  const lines = parsed.problems.slice(0, TOLD).map(formatProblem);
  const more = parsed.problems.length - lines.length;
  throw new BadInput(more > 0 ? [...lines, `${file}: and ${more} more problems`] : lines);
}

/** All scenarios of files and folders, in order, each file once, and every problem of all of them. */
export function readScenarios(paths: readonly string[], { cwd, own: asked = { with: [], config: false } }: Place): Loaded {
  const loader = ownLoader(asked, cwd);
  const problems: string[] = [];
  const skipped: string[] = [];
  const notes: string[] = [];
  const scenarios: LoadedScenario[] = [];
  const files: string[] = [];
  const seen = new Set<string>();
  const readFile = (path: string, from: string): string | undefined => {
    const full = resolve(cwd, dirname(from), path);
    files.push(full);
    try {
      return readText(full, path);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return undefined;
    }
  };
  /** What it says, or the lines of what is wrong with it. */
  const attempt = <T>(wrong: string[], act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      wrong.push(...error.lines);
      return undefined;
    }
  };
  for (const path of paths) {
    const found = attempt(problems, () => expand(path, cwd));
    if (found === undefined) files.push(resolve(cwd, path));
    else skipped.push(...found.problems);
    const inFolder = found?.inFolder === true;
    for (const full of found?.files ?? []) {
      const file = shownAs(full, cwd);
      const same = identityOf(full);
      if (seen.has(same)) {
        notes.push(`${file}: named twice, read once`);
        continue;
      }
      seen.add(same);
      files.push(full);
      const brought = loader.of(full);
      files.push(...brought.files);
      if ('problems' in brought) {
        problems.push(...brought.problems);
        continue;
      }
      const options = { own: brought.own, plain: !inFolder, readFile, notes };
      scenarios.push(...(attempt(inFolder ? skipped : problems, () => readOne(full, file, options)) ?? []));
    }
  }
  // What several scenarios bring along is wrong once.
  return { scenarios, files, problems: [...new Set(problems)], skipped, notes };
}

/** The file itself, whatever leads to it. */
function identityOf(full: string): string {
  try {
    return realpathSync(full);
  } catch {
    return full;
  }
}

/** What brings the same along once more. */
const flagsOf = ({ sources: { words } }: Own): { readonly flags?: string } =>
  words.length === 0 ? {} : { flags: words.map(shellWord).join(' ') };

/** The scenarios of files and folders that are all well formed; throws BadInput with every problem otherwise. */
export function loadScenarios(paths: readonly string[], place: Place): readonly LoadedScenario[] {
  const { scenarios, problems, skipped } = readScenarios(paths, place);
  if (problems.length > 0 || skipped.length > 0) throw new BadInput([...problems, ...skipped]);
  return scenarios;
}

/**
 * The same, but what is malformed in a folder keeps nothing else of it from running. `tell` hears of what is odd; `skipped` is to be told
 * when the others have run. Throws BadInput when a file that was named is malformed, or nothing is left.
 */
export function loadRunnable(
  paths: readonly string[],
  place: Place,
  tell: (note: string) => void,
): { readonly scenarios: readonly LoadedScenario[]; readonly skipped: readonly string[] } {
  const { scenarios, problems, skipped, notes } = readScenarios(paths, place);
  if (problems.length > 0 || scenarios.length === 0) throw new BadInput([...problems, ...skipped]);
  for (const each of notes) tell(each);
  return { scenarios, skipped };
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
