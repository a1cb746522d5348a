/** Paths as people give them, files, folders and patterns, and the scenario files that they mean. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { compareText, nearest } from '../../schema/values/index.ts';
import { BadInput } from './exit.ts';
import { systemSays } from './files.ts';
import { globbed, isGlob } from './globs.ts';

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

/** The scenario files that a pattern matches, and those below the folders that it matches. */
function matching(pattern: string, cwd: string): Found {
  const found = globbed(pattern, cwd);
  const files = new Set<string>();
  const problems: string[] = [];
  for (const { full, isFolder } of found) {
    if (!isFolder && isScenarioFile(full)) files.add(full);
    // What lies below is named by `**` itself.
    if (isFolder && !pattern.includes('**')) for (const file of filesBelow(full, (problem) => problems.push(problem), cwd)) files.add(file);
  }
  if (files.size === 0)
    throw new BadInput(problems.length > 0 ? problems : `${pattern}: no scenario file (.yaml, .yml, .json) has a name like that`);
  return { files: [...files], inFolder: true, problems };
}

export interface Found {
  readonly files: readonly string[];
  readonly inFolder: boolean;
  /** Folders below that cannot be read. */
  readonly problems: readonly string[];
}

/** The files that a path means: itself, those below a folder, or those that a pattern matches, for shells that leave patterns alone. */
export function expand(path: string, cwd: string): Found {
  const full = resolve(cwd, path);
  let stat;
  try {
    stat = statSync(full, { throwIfNoEntry: false });
  } catch (error) {
    const reason = systemSays(error);
    if (reason === undefined) throw error;
    throw new BadInput(`${path}: cannot be read: ${reason}`);
  }
  if (stat === undefined && isGlob(path)) return matching(path, cwd);
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
export const shownAs = (full: string, cwd: string): string => {
  const path = relative(cwd, full);
  return path === '' || path.startsWith('..') ? full : path;
};
