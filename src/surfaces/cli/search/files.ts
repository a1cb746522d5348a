/** Files of a search: findings, as scenarios that reproduce without it and as pages; and the corpus, whose choices are replayed first. */
import { existsSync, readFileSync, statSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice, type Scenario } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import { type LoadedScenario, readScenarios } from '../load.ts';
import { shownAs } from '../paths.ts';
import { writeWhole } from '../files.ts';
import type { Catch, Finding, Ground } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import { writePages } from '../page/recordings.ts';
import { timed, type Task } from '../run/task.ts';
import { createHash } from 'node:crypto';
import { compareText } from '../../../schema/values/index.ts';

const HEAD = 'Found by orchsim search';

export interface Found {
  readonly claim: string;
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  readonly words: readonly string[];
  /** Of a reduced finding: its story, whose decision broke it, the usual remedy, and the other claims that broke. */
  readonly told?: Pick<Finding, 'story' | 'decider' | 'hint' | 'also'>;
}

/** A finding with its file, and how often it was seen. */
export interface Reported extends Found {
  /** Absent: no file is written. */
  readonly file?: string | undefined;
  readonly seen: number;
  readonly firstRun: number;
  /** Number of runs for its reduction; absent: it was not reduced. */
  readonly shrinks?: number;
}

/** Options behind a command, if there are any. */
export const also = (flags: string | undefined): string => (flags === undefined ? '' : ` ${flags}`);

/** Refuses a file where findings need a folder, and one below a file: a search that cannot keep what it finds need not begin. */
export function spareOut(folder: string, cwd: string): void {
  for (let full = resolve(cwd, folder); ; full = dirname(full)) {
    const stat = existsSync(full) ? statSync(full) : undefined;
    if (stat?.isFile() === true) throw new BadInput(`--out: ${folder} cannot be written: ${shownAs(full, cwd)} is a file`);
    if (stat !== undefined || full === dirname(full)) return;
  }
}

/** Writes the files; returns their paths as messages show them. An existing file is kept, since a user may have edited it: the next free number is used. */
export function writeFound(found: readonly Found[], loaded: LoadedScenario, seed: number, folder: string, cwd: string): readonly string[] {
  const faults = faultsWith(loaded.plugins.definitions);
  const into = resolve(cwd, folder);
  let nth = 0;
  return found.map(({ claim, scenario, choices, words }) => {
    const comment = [`${HEAD} (seed ${seed}) from ${loaded.file}. What broke:`, ...words.map((line) => `  ${line}`)].join('\n');
    const title = `${claim} breaks in ${loaded.scenario.name}`;
    let [path, text] = ['', ''];
    do {
      const name = `found-${loaded.scenario.name}-${++nth}`;
      path = join(into, `${name}.yaml`);
      text = formatScenario({ ...scenario, name, title, choices }, { faults, comment });
    } while (existsSync(path) && !says(path, text));
    writeWhole({ option: '--out', path, cwd }, text);
    const shown = relative(cwd, path);
    return shown.startsWith('..') ? path : shown;
  });
}

/** Whether the file has this text: the same search writes the same file again. */
function says(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8') === text;
  } catch {
    return false;
  }
}

/** Writes a page for each finding that has a file, FOLDER/found-NAME-1.html: it opens where the finding breaks. */
export function writeFindingPages(findings: readonly Reported[], folder: string, loaded: LoadedScenario, io: Io): void {
  for (const { file, scenario: found, choices } of findings) {
    if (file === undefined) continue;
    const name = basename(file).replace(/\.ya?ml$/, '');
    const task: Task = { ...loaded, scenario: { ...found, name, choices }, file, seed: loaded.scenario.seed };
    // Standard output is the report.
    writePages([{ task, run: timed(task).summary }], { page: join(folder, `${name}.html`), force: true, showSecrets: false }, 'junit', io);
  }
}

export const smallOne = ({ cause: { claim }, scenario, choices, words, seen, firstRun, shrinks, ...told }: Finding): Reported => ({
  claim,
  scenario,
  choices,
  words,
  seen,
  firstRun,
  shrinks,
  told,
});

/** A finding that was not reduced, in its written form. */
export const rawOne = ({ cause, choices, seen, firstRun }: Catch, { scenario }: Ground): Reported => ({
  claim: cause.claim,
  scenario,
  choices,
  words: [...cause.message.split('\n'), `(${choices.length} choices, of which some may not be needed)`],
  seen,
  firstRun,
});

type Choices = readonly PointChoice[];

/** Choices of the files in a folder, by name. A file that cannot be read is reported and skipped: a corpus only saves time. */
export function readCorpus(folder: string, io: Io): readonly Choices[] {
  const full = resolve(io.cwd, folder);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) throw new BadInput(`--corpus: ${folder} is a file; a folder of scenario files is expected`);
  const files = readdirSync(full)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort(compareText);
  if (files.length === 0) return [];
  // A choice is identified by its point and its fault; its position in the file does not matter.
  const { scenarios, problems } = readScenarios(
    files.map((name) => relative(io.cwd, join(full, name))),
    io,
  );
  for (const line of problems) io.err(`note: --corpus: left out: ${line}\n`);
  return scenarios.flatMap(({ scenario: { choices = [] } }) =>
    choices.length === 0 ? [] : [choices.map(({ at, injectedFault }) => ({ at, injectedFault }))],
  );
}

/** Writes runs that reached something new into a folder; returns how many were added. */
export function addToCorpus(folder: string, kept: Iterable<Choices>, { scenario, file, plugins }: LoadedScenario, cwd: string): number {
  const into = resolve(cwd, folder);
  const faults = faultsWith(plugins.definitions);
  let added = 0;
  for (const choices of kept) {
    const print = createHash('sha256').update(JSON.stringify(choices)).digest('hex').slice(0, 12);
    const path = join(into, `kept-${scenario.name}-${print}.yaml`);
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    const comment = `Kept by orchsim search from ${file}: a controller gave a reason that no run before it had.`;
    writeWhole({ option: '--corpus', path, cwd }, formatScenario({ ...scenario, choices }, { faults, comment }));
    added++;
  }
  return added;
}
