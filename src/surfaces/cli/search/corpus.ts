/** A corpus: a folder of scenario files whose choices are replayed first. A search adds the runs that reached something new. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compareText } from '../../../schema/values/index.ts';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { readScenarios, type LoadedScenario } from '../load.ts';
import { writeWhole } from '../files.ts';

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
