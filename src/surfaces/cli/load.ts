/** Reads scenario files and folders. Every problem of every file is reported at once. */
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { RulesMode } from '../../apiserver/machinery/index.ts';
import { type DumpSource, parseScenarios, type Scenario, type SnapshotFile } from '../../lab/scenario/index.ts';
import { present } from '../../schema/values/index.ts';
import { formatProblem, type Problem } from '../../schema/yaml/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { type LoadedPlugins, type Plugins, pluginLoader } from '../plugins/index.ts';
import { count, shellWord, type Unread } from '../report/index.ts';
import { named } from './choose.ts';
import { BadInput } from './exit.ts';
import { jsonLinesProblem, readText, STDIN } from './files.ts';
import type { Io } from './io.ts';
import { bareScenario, dumpReader, fromFlags } from './dump.ts';
import { isMeantAsScenario, nameOf, plainNote } from './plain.ts';
import { expand, realPath, shownAs } from './paths.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** The path in messages. */ readonly file: string;
  /** Options that change the run, for its replay command; absent: none. */ readonly flags?: string;
  /** The plugins of the scenario. */ readonly plugins: Plugins;
}

export type Place = Pick<Io, 'cwd' | 'plugins' | 'stdin'> & {
  /** The dump with which scenarios begin, in place of their own; without a path, the run is of the dump alone. */
  readonly from?: DumpSource | undefined;
};

/** At most so many problems of a file are reported; a file of another format can have thousands. */
const REPORTED = 50;

interface ReadOptions {
  readonly plugins: Plugins;
  /** Whether a file of manifests counts as a scenario. */
  readonly plain: boolean;
  readonly notes: string[];
  readFile(path: string, from: string): string | undefined;
  /** The dump with which the scenarios begin, in place of their own. */
  readonly from: DumpSource | undefined;
  readDump(path: string): readonly SnapshotFile[] | undefined;
}

function readOne(full: string, file: string, options: ReadOptions): readonly LoadedScenario[] {
  const { size } = statSync(full, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > MAX_FILE_BYTES) throw tooLarge(file, size);
  return scenariosIn(readText(full, file), file, options);
}

const tooLarge = (file: string, bytes: number): BadInput => new BadInput(`${file}: ${bytes} bytes, at most ${MAX_FILE_BYTES} are read`);

function readStdin({ stdin }: Place, options: ReadOptions): readonly LoadedScenario[] {
  if (stdin === undefined) throw new BadInput('-: standard input is not read for a scenario here: name a file');
  const text = stdin();
  if (text.length > MAX_FILE_BYTES) throw tooLarge(STDIN, text.length);
  return scenariosIn(text, STDIN, options);
}

/** Returns the result, or undefined after adding the lines of a BadInput to `wrong`. */
function attempt<T>(wrong: string[], act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    wrong.push(...error.lines);
    return undefined;
  }
}

function scenariosIn(
  text: string,
  file: string,
  { plugins, plain, readFile, readDump, from, notes }: ReadOptions,
): readonly LoadedScenario[] {
  const instead = jsonLinesProblem(text, file);
  if (instead !== undefined) throw new BadInput(instead);
  const parsed = parseScenarios(text, {
    ...vocabulary(plugins.definitions),
    file,
    readFile,
    readDump,
    ...present({ from }),
    ...(plain ? { plain: nameOf(file) } : {}),
  });
  if ('scenarios' in parsed && parsed.plain === true) notes.push(...parsed.scenarios.map((scenario) => plainNote(file, scenario)));
  if ('scenarios' in parsed) return parsed.scenarios.map((scenario) => ({ scenario, file, plugins, ...flagsOf(plugins, from) }));
  const lines = parsed.problems.slice(0, REPORTED).map(formatProblem);
  const more = parsed.problems.length - lines.length;
  const rest = more > 0 ? [`${file === '' ? '' : `${file}: `}and ${more} more problems`] : [];
  const dumps = from === undefined || from.lenient === true ? [] : parsed.problems.filter((each) => isOfDump(each, file, from));
  const hint =
    dumps.length === 0 ? [] : ['(--lenient leaves out of a dump what cannot be read or contradicts something else, and says so)'];
  throw new BadInput([...lines, ...rest, ...hint]);
}

/** Whether a problem is in a file of the dump, which could be read. */
const isOfDump = (problem: Problem, file: string, { behaviors }: DumpSource): boolean =>
  problem.file !== file && problem.file !== behaviors && !problem.expected.endsWith('that can be read');

const fileReader =
  (cwd: string, files: string[]): ReadOptions['readFile'] =>
  (path, from) => {
    const full = resolve(cwd, dirname(from), path);
    files.push(full);
    try {
      return readText(full, path);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      return undefined;
    }
  };

/** Reads all scenarios of files and folders, in order, each file once, with every problem. */
export function readScenarios(paths: readonly string[], place: Place) {
  const { cwd, plugins: asked = { with: [], config: false } } = place;
  const loader = pluginLoader(asked, cwd);
  /** What does not prevent the run. */
  const notes: string[] = [];
  const scenarios: LoadedScenario[] = [];
  /** Every file that was read, including those that scenarios refer to. */
  const files: string[] = [];
  /** Files in folders that contain no scenario, as paths for messages. */
  const others: string[] = [];
  /** Problems of files that are in a named folder but not named themselves: the other files can run. */
  const unread: Unread[] = [];
  /** Problems of files that were named. */
  const refused: Unread[] = [];
  const report = (into: Unread[], file: string, messages: readonly string[]): void => {
    if (messages.length > 0) into.push({ file, messages });
  };
  const seen = new Set<string>();
  /** Whether a source comes for the first time. */
  const isNew = (identity: string, file: string): boolean => {
    const isKnown = seen.has(identity);
    if (isKnown) notes.push(`${file}: named twice, read once`);
    seen.add(identity);
    return !isKnown;
  };
  const readFile = fileReader(cwd, files);
  const readDump = dumpReader(place, files);
  const add = (file: string, inFolder: boolean, loaded: LoadedPlugins, read: (options: ReadOptions) => readonly LoadedScenario[]): void => {
    files.push(...loaded.files);
    if ('problems' in loaded) return report(refused, file, loaded.problems);
    const wrong: string[] = [];
    scenarios.push(
      ...(attempt(wrong, () =>
        read({ plugins: loaded.plugins, plain: !inFolder && place.from === undefined, readFile, readDump, from: place.from, notes }),
      ) ?? []),
    );
    report(inFolder ? unread : refused, file, wrong);
  };
  if (paths.length === 0 && place.from !== undefined)
    add(bareScenario.file, false, loader.of(undefined), (options) => scenariosIn(bareScenario.text, bareScenario.file, options));
  for (const path of paths) {
    if (path === '-') {
      if (isNew(STDIN, '-')) add(STDIN, false, loader.of(undefined), (options) => readStdin(place, options));
      continue;
    }
    const missing: string[] = [];
    const found = attempt(missing, () => expand(path, cwd));
    report(refused, path, missing);
    if (found === undefined) files.push(resolve(cwd, path));
    for (const problem of found?.problems ?? []) report(unread, path, [problem]);
    const inFolder = found?.inFolder === true;
    for (const full of found?.files ?? []) {
      const file = shownAs(full, cwd);
      if (!isNew(realPath(full), file)) continue;
      files.push(full);
      if (inFolder && holdsNoScenario(full)) others.push(file);
      else add(file, inFolder, loader.of(full), (options) => readOne(full, file, options));
    }
  }
  const problems = refused.flatMap(({ messages }) => messages);
  const skipped = unread.flatMap(({ messages }) => messages);
  if (others.length > 0 && scenarios.length > 0) notes.push(othersNote(others));
  if (others.length > 0 && scenarios.length + problems.length + skipped.length === 0)
    problems.push(`${othersNote(others)}; there is nothing to run (a file of manifests runs when it is named by itself)`);
  // Several scenarios may share a broken plugin: its problems are listed once.
  return { scenarios, files, problems: [...new Set(problems)], skipped, unread, refused, notes };
}

const NAMED = 5;

function othersNote(others: readonly string[]): string {
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  return `${count(others.length, 'file')} without a scenario ${others.length === 1 ? 'was' : 'were'} skipped: ${others.slice(0, NAMED).join(', ')}${more}`;
}

/** Whether a file of a folder contains no scenario, as manifests and lock files. One that cannot be read counts as a scenario. */
function holdsNoScenario(full: string): boolean {
  try {
    if (statSync(full).size > MAX_FILE_BYTES) return false;
    const text = readText(full, full);
    return jsonLinesProblem(text, full) !== undefined || !isMeantAsScenario(text);
  } catch {
    return false;
  }
}

/** The options that load the same plugins again. */
function flagsOf({ sources: { words } }: Plugins, from?: DumpSource): { readonly flags?: string } {
  const flags = [...fromFlags(from), ...words];
  return flags.length === 0 ? {} : { flags: flags.map(shellWord).join(' ') };
}

/** Reads the scenarios of files and folders. Throws BadInput with every problem if any file is malformed. */
export function loadScenarios(paths: readonly string[], place: Place): readonly LoadedScenario[] {
  const { scenarios, problems, skipped } = readScenarios(paths, place);
  if (problems.length > 0 || skipped.length > 0) throw new BadInput([...problems, ...skipped]);
  return scenarios;
}

/** The scenario of a dump alone. */
export function loadDump(from: DumpSource | undefined, place: Place): LoadedScenario {
  const [loaded] = loadScenarios([], { ...place, from });
  if (loaded === undefined) throw new Error('the scenario of a dump does not read');
  return loaded;
}

/** A named file was malformed, or all files of a folder: nothing is run. */
export class Unreadable extends BadInput {
  readonly unread: readonly Unread[];
  /** The scenarios that could be read. */
  readonly scenarios: readonly LoadedScenario[];
  constructor(lines: readonly string[], unread: readonly Unread[], scenarios: readonly LoadedScenario[]) {
    super(lines);
    this.unread = unread;
    this.scenarios = scenarios;
  }
}

/**
 * Reads scenarios; malformed files in a folder do not prevent the others from running. `onNote` receives notes; `skipped` is to be printed
 * after the runs. Throws Unreadable if a named file is malformed, or if no scenario is left.
 */
export function loadRunnable(paths: readonly string[], place: Place, onNote: (note: string) => void) {
  const { scenarios, problems, skipped, unread, refused, notes } = readScenarios(paths, place);
  if (problems.length > 0 || scenarios.length === 0) throw new Unreadable([...problems, ...skipped], [...refused, ...unread], scenarios);
  for (const each of notes) onNote(each);
  return { scenarios, skipped, unread };
}

/** The scenario under the rules mode of the command line; without one, under its own mode or that of its domain. */
export const underRules = (loaded: LoadedScenario, rules: RulesMode | undefined): LoadedScenario =>
  rules === undefined
    ? loaded
    : {
        ...loaded,
        scenario: { ...loaded.scenario, rules },
        flags: [`--rules ${rules}`, ...(loaded.flags === undefined ? [] : [loaded.flags])].join(' '),
      };

/** The plugins of a command without a scenario. Throws BadInput with their problems. */
export function pluginsOf({ cwd, plugins = { with: [], config: false } }: Place): Plugins {
  const loaded = pluginLoader(plugins, cwd).of(undefined);
  if ('problems' in loaded) throw new BadInput(loaded.problems);
  return loaded.plugins;
}

/** Reads the only scenario of a command. Throws BadInput if there are several. */
export function loadOne(path: string, place: Place, name?: string): LoadedScenario {
  const found = named(loadScenarios([path], place), name);
  const [one] = found;
  if (one === undefined || found.length > 1)
    throw new BadInput(
      `${path}: expected one scenario, found ${found.length} (${found.map(({ scenario }) => scenario.name).join(', ')}); choose with --scenario NAME`,
    );
  return one;
}
