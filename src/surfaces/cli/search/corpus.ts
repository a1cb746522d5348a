/**
 * A corpus: a folder of scenario files whose choices are made again first. What a search keeps goes there, and so may what it has found.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { compareText } from '../../../grammar/values/index.ts';
import { faultsWith } from '../../../lab/definitions/index.ts';
import { formatScenario, type PointChoice } from '../../../lab/scenario/index.ts';
import { BadInput } from '../exit.ts';
import { systemSays } from '../files.ts';
import type { Io } from '../io.ts';
import { loadScenarios, type LoadedScenario } from '../load.ts';

type Choices = readonly PointChoice[];

/** Choices of the files in a folder, in order of their names; a folder that is not there has none. */
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
  return loadScenarios(
    files.map((name) => relative(io.cwd, join(full, name))),
    io,
  ).flatMap(({ scenario: { choices = [] } }) => (choices.length === 0 ? [] : [choices.map(({ at, deed }) => ({ at, deed }))]));
}

/** Puts runs worth growing from into a folder; answers how many were not there yet. */
export function addToCorpus(folder: string, kept: Iterable<Choices>, { scenario, file, own }: LoadedScenario, cwd: string): number {
  const into = resolve(cwd, folder);
  const faults = faultsWith(own.definitions);
  let added = 0;
  try {
    mkdirSync(into, { recursive: true });
    for (const choices of kept) {
      const print = createHash('sha256').update(JSON.stringify(choices)).digest('hex').slice(0, 12);
      const path = join(into, `kept-${scenario.name}-${print}.yaml`);
      if (statSync(path, { throwIfNoEntry: false }) !== undefined) continue;
      const comment = `Kept by orchsim search from ${file}: it made a controller say what no run before it had.`;
      writeFileSync(path, formatScenario({ ...scenario, choices }, { faults, comment }));
      added++;
    }
  } catch (error) {
    const reason = systemSays(error);
    if (reason === undefined) throw error;
    throw new BadInput(`--corpus: ${folder} cannot be written: ${reason}`);
  }
  return added;
}
