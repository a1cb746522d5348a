/** `search --since REF`: the scenarios that a change concerns, from git. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import { type LoadedScenario, readScenarios } from '../load.ts';
import { realPath } from '../paths.ts';

/** Bytes of git's answer. */
const MOST_BYTES = 64 * 1024 * 1024;

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: MOST_BYTES });
  if (error !== undefined) throw new BadInput(`--since: git cannot be run: ${error.message}`);
  if (status !== 0) throw new BadInput(`--since: git ${args[0] ?? ''}: ${stderr.trim().split('\n')[0] ?? 'it failed'}`);
  return stdout;
}

/** Returns the full paths of files that differ from where a branch left a commit, in commits or not yet. */
function changedSince(ref: string, cwd: string): ReadonlySet<string> {
  if (ref === '' || ref.startsWith('-')) throw new BadInput(`--since: expected a commit, a branch or a tag, found ${JSON.stringify(ref)}`);
  const root = git(cwd, 'rev-parse', '--show-toplevel').trim();
  const commit = git(cwd, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`).trim();
  const base = git(cwd, 'merge-base', commit, 'HEAD').trim();
  const names = [
    git(root, 'diff', '--name-only', '-z', '--no-ext-diff', base, '--'),
    git(root, 'ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return new Set(names.flatMap((text) => text.split('\0').filter((name) => name !== '')).map((name) => resolve(root, name)));
}

/** The scenarios to search, and those that cannot be: they have choices already. */
export interface Concerned {
  readonly concerned: readonly LoadedScenario[];
  readonly all: number;
}

/**
 * Returns the scenarios under a path whose file has changed, or one of the files of their definitions. A change of a file that scenarios
 * refer to concerns all of them. A scenario with choices is the finding of a search, and is left out.
 */
export function concernedSince(ref: string, path: string, io: Io): Concerned {
  const changed = changedSince(ref, io.cwd);
  const { scenarios, files, problems, skipped } = readScenarios([path], io);
  if (problems.length > 0 || skipped.length > 0) throw new BadInput([...problems, ...skipped]);
  // Git reports paths without symbolic links.
  const isChanged = (file: string): boolean => changed.has(resolve(io.cwd, file)) || changed.has(realPath(resolve(io.cwd, file)));
  const own = new Set(scenarios.map(({ file }) => resolve(io.cwd, file)));
  const shared = files.filter((file) => !own.has(resolve(io.cwd, file)));
  const fit = scenarios.filter(({ scenario: { choices = [] } }) => choices.length === 0);
  return { all: fit.length, concerned: shared.some(isChanged) ? fit : fit.filter(({ file }) => isChanged(file)) };
}
