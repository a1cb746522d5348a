/** Findings as scenario files that reproduce without the search, and as pages. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice, type Scenario } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import type { LoadedScenario } from '../load.ts';
import { shownAs } from '../paths.ts';
import { writeWhole } from '../files.ts';
import type { Catch, Finding, Ground } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import { writePages } from '../page/recordings.ts';
import { timed, type Task } from '../run/task.ts';

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
