/**
 * A corpus: a folder of scenario files whose choices are made again first. What a search keeps goes there, and so may what it has found.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compareText } from '../../../grammar/values/index.ts';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { readScenarios, type LoadedScenario } from '../load.ts';
import { writeWhole } from '../write.ts';

type Choices = readonly PointChoice[];

/**
 * Choices of the files in a folder, in order of their names; a folder that is not there has none. A file that cannot be read, half-written
 * perhaps, is told and left out: a corpus makes a search quicker and nothing else.
 */
export function readCorpus(folder: string, io: Io): readonly Choices[] {
  const full = resolve(io.cwd, folder);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) throw new BadInput(`--corpus: ${folder} is a file; a folder of scenario files is expected`);
  const files = readdirSync(full)
    .filter((name) => /\.ya?ml$/.test(name))
    .sort(compareText);
  if (files.length === 0) return [];
  // A choice is known by where and what it is: where it stood in its file is nothing to a search.
  const { scenarios, problems } = readScenarios(
    files.map((name) => relative(io.cwd, join(full, name))),
    io,
  );
  for (const line of problems) io.err(`note: --corpus: left out: ${line}\n`);
  return scenarios.flatMap(({ scenario: { choices = [] } }) =>
    choices.length === 0 ? [] : [choices.map(({ at, injectedFault }) => ({ at, injectedFault }))],
  );
}

/** Puts runs worth growing from into a folder; answers how many were not there yet. */
export function addToCorpus(folder: string, kept: Iterable<Choices>, { scenario, file, own }: LoadedScenario, cwd: string): number {
  const into = resolve(cwd, folder);
  const faults = faultsWith(own.definitions);
  let added = 0;
  for (const choices of kept) {
    const print = createHash('sha256').update(JSON.stringify(choices)).digest('hex').slice(0, 12);
    const path = join(into, `kept-${scenario.name}-${print}.yaml`);
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    const comment = `Kept by orchsim search from ${file}: it made a controller say what no run before it had.`;
    writeWhole({ option: '--corpus', path, cwd }, formatScenario({ ...scenario, choices }, { faults, comment }));
    added++;
  }
  return added;
}
