/** Reads scenario files and folders: every problem of every file at once, nothing half-read. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { RulesMode } from '../../apiserver/vocabulary/index.ts';
import { parseScenarios, type Scenario } from '../../lab/scenario/index.ts';
import { formatProblem } from '../../grammar/yaml/index.ts';
import { vocabulary } from '../../lab/vocabulary.ts';
import { type Brought, type Own, ownLoader } from '../plugins/index.ts';
import { count, shellWord, type Unread } from '../report/index.ts';
import { named } from './choose.ts';
import { BadInput } from './exit.ts';
import { linesInstead, readText, STDIN } from './files.ts';
import type { Io } from './io.ts';
import { isMeantAsScenario } from './marked.ts';
import { expand, shownAs } from './paths.ts';
import { nameOf, plainNote } from './plain.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** As messages name it. */ readonly file: string;
  /** Options that change the run, for the command that runs it again; absent: none. */ readonly flags?: string;
  /** What is brought along. */ readonly own: Own;
}

/** From where files are named, and what is brought along. */
export type Place = Pick<Io, 'cwd' | 'own' | 'stdin'>;

export interface Loaded {
  readonly scenarios: readonly LoadedScenario[];
  /** Every file that was read, those that scenarios refer to included. */
  readonly files: readonly string[];
  /** Everything wrong, a line each. */
  readonly problems: readonly string[];
  /** What is wrong with files that nobody named, but that lie in a folder: the others can run. */
  readonly skipped: readonly string[];
  /** The same, by file. */
  readonly unread: readonly Unread[];
  /** What is wrong with files that somebody named, by file. */
  readonly refused: readonly Unread[];
  /** Files in folders that hold no scenario, as messages name them. */
  readonly others: readonly string[];
  /** What is odd and stands in nobody's way. */
  readonly notes: readonly string[];
}

/** So many problems of a file are told; a file of another sort altogether has thousands. */
const REPORTED = 50;

interface ReadOptions {
  /** What is brought along. */
  readonly own: Own;
  /** Whether manifests without a scenario are one. */
  readonly plain: boolean;
  readonly notes: string[];
  readFile(path: string, from: string): string | undefined;
}

/** The scenarios of one file; throws BadInput with everything that is wrong. */
function readOne(full: string, file: string, options: ReadOptions): readonly LoadedScenario[] {
  const { size } = statSync(full, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > MAX_FILE_BYTES) throw tooLarge(file, size);
  return scenariosIn(readText(full, file), file, options);
}

const tooLarge = (file: string, bytes: number): BadInput => new BadInput(`${file}: ${bytes} bytes, at most ${MAX_FILE_BYTES} are read`);

/** What has been read so far. */
interface Reading extends Pick<ReadOptions, 'readFile' | 'notes'> {
  /** Takes down what is wrong with a file. */
  refuse(file: string, messages: readonly string[]): void;
  readonly scenarios: LoadedScenario[];
  readonly files: string[];
}

/** Adds the scenarios of standard input. */
function readStdin({ stdin }: Place, brought: Brought, { refuse, scenarios, files, readFile, notes }: Reading): void {
  files.push(...brought.files);
  if ('problems' in brought) {
    refuse(STDIN, brought.problems);
    return;
  }
  const wrong: string[] = [];
  const read = attempt(wrong, () => {
    if (stdin === undefined) throw new BadInput('-: standard input is not read for a scenario here: name a file');
    const text = stdin();
    if (text.length > MAX_FILE_BYTES) throw tooLarge(STDIN, text.length);
    return scenariosIn(text, STDIN, { own: brought.own, plain: true, readFile, notes });
  });
  scenarios.push(...(read ?? []));
  refuse(STDIN, wrong);
}

/** What it says; undefined where `wrong` has the lines of what is wrong with it. */
function attempt<T>(wrong: string[], act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    wrong.push(...error.lines);
    return undefined;
  }
}

function scenariosIn(text: string, file: string, { own, plain, readFile, notes }: ReadOptions): readonly LoadedScenario[] {
  const instead = linesInstead(text, file);
  if (instead !== undefined) throw new BadInput(instead);
  const parsed = parseScenarios(text, { ...vocabulary(own.definitions), file, readFile, ...(plain ? { plain: nameOf(file) } : {}) });
  if ('scenarios' in parsed && parsed.plain === true) notes.push(...parsed.scenarios.map((scenario) => plainNote(file, scenario)));
  if ('scenarios' in parsed) return parsed.scenarios.map((scenario) => ({ scenario, file, own, ...flagsOf(own) }));
  const lines = parsed.problems.slice(0, REPORTED).map(formatProblem);
  const more = parsed.problems.length - lines.length;
  throw new BadInput(more > 0 ? [...lines, `${file}: and ${more} more problems`] : lines);
}

/** Reads what scenarios refer to, and takes down what it is. */
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

/** All scenarios of files and folders, in order, each file once, and every problem of all of them. */
export function readScenarios(paths: readonly string[], place: Place): Loaded {
  const { cwd, own: asked = { with: [], config: false } } = place;
  const loader = ownLoader(asked, cwd);
  const problems: string[] = [];
  const skipped: string[] = [];
  const notes: string[] = [];
  const scenarios: LoadedScenario[] = [];
  const files: string[] = [];
  const others: string[] = [];
  const unread: Unread[] = [];
  const refused: Unread[] = [];
  const refuse = (file: string, messages: readonly string[]): void => {
    problems.push(...messages);
    if (messages.length > 0) refused.push({ file, messages });
  };
  const seen = new Set<string>();
  const readFile = fileReader(cwd, files);
  for (const path of paths) {
    if (path === '-') {
      if (seen.has(STDIN)) notes.push('-: named twice, read once');
      else readStdin(place, loader.of(undefined), { readFile, notes, refuse, scenarios, files });
      seen.add(STDIN);
      continue;
    }
    const missing: string[] = [];
    const found = attempt(missing, () => expand(path, cwd));
    refuse(path, missing);
    if (found === undefined) files.push(resolve(cwd, path));
    else {
      skipped.push(...found.problems);
      unread.push(...found.problems.map((problem) => ({ file: path, messages: [problem] })));
    }
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
      if (inFolder && holdsNoScenario(full)) {
        others.push(file);
        continue;
      }
      const brought = loader.of(full);
      files.push(...brought.files);
      if ('problems' in brought) {
        refuse(file, brought.problems);
        continue;
      }
      const options = { own: brought.own, plain: !inFolder, readFile, notes };
      const wrong: string[] = [];
      scenarios.push(...(attempt(wrong, () => readOne(full, file, options)) ?? []));
      if (!inFolder) refuse(file, wrong);
      else if (wrong.length > 0) {
        skipped.push(...wrong);
        unread.push({ file, messages: wrong });
      }
    }
  }
  if (others.length > 0 && scenarios.length > 0) notes.push(othersNote(others));
  if (others.length > 0 && scenarios.length + problems.length + skipped.length === 0)
    problems.push(`${othersNote(others)}; nothing is left (a file of manifests runs when it is named by itself)`);
  // What several scenarios bring along is wrong once.
  return { scenarios, files, problems: [...new Set(problems)], skipped, unread, refused, others, notes };
}

/** So many are named. */
const NAMED = 5;

function othersNote(others: readonly string[]): string {
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  return `${count(others.length, 'file')} without a scenario ${others.length === 1 ? 'was' : 'were'} skipped: ${others.slice(0, NAMED).join(', ')}${more}`;
}

/** Folders hold manifests, settings, lock files, our own reports and schemas too. What cannot be read may well be meant. */
function holdsNoScenario(full: string): boolean {
  try {
    if (statSync(full).size > MAX_FILE_BYTES) return false;
    const text = readText(full, full);
    return linesInstead(text, full) !== undefined || !isMeantAsScenario(text);
  } catch {
    return false;
  }
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

/** Files were malformed that somebody named, or all of them: nothing is run. */
export class Unreadable extends BadInput {
  readonly unread: readonly Unread[];
  /** What could be read. */
  readonly scenarios: readonly LoadedScenario[];
  constructor(lines: readonly string[], unread: readonly Unread[], scenarios: readonly LoadedScenario[]) {
    super(lines);
    this.unread = unread;
    this.scenarios = scenarios;
  }
}

/**
 * The same, but what is malformed in a folder keeps nothing else of it from running. `tell` hears of what is odd; `skipped` is to be told
 * when the others have run. Throws Unreadable when a file that was named is malformed, or nothing is left.
 */
export function loadRunnable(
  paths: readonly string[],
  place: Place,
  tell: (note: string) => void,
): Pick<Loaded, 'scenarios' | 'skipped' | 'unread'> {
  const { scenarios, problems, skipped, unread, refused, notes } = readScenarios(paths, place);
  if (problems.length > 0 || scenarios.length === 0) throw new Unreadable([...problems, ...skipped], [...refused, ...unread], scenarios);
  for (const each of notes) tell(each);
  return { scenarios, skipped, unread };
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
