/** Resolves files, folders and patterns such as `scenarios/job/0[1-3]-*` to scenario files: for shells that do not expand them. */
import { readdirSync, realpathSync, type Dirent, statSync } from 'node:fs';
import { join, relative, resolve, sep, basename, dirname } from 'node:path';
import picomatch from 'picomatch';
import { compareText, nearest } from '../../schema/values/index.ts';
import { BadInput } from './exit.ts';
import { onSystem } from './files.ts';

const isGlob = (text: string): boolean => picomatch.scan(text).isGlob;

/** Returns a matcher of names. A text without special characters matches only itself. */
export const nameMatcher = (pattern: string): ((name: string) => boolean) => {
  // A name is not a path: `*` also matches slashes.
  const matches = picomatch(pattern, { bash: true });
  return (name) => name === pattern || matches(name);
};

/** Folders that a pattern enters only by name: scenarios that are broken on purpose, files that scenarios refer to, packages. */
const ENTERED_BY_NAME: ReadonlySet<string> = new Set(['manifests', 'broken', 'node_modules']);
const DEEPEST = 24;

/** Returns the absolute paths that match a pattern, in byte order; empty if its fixed part does not exist. */
function globbed(pattern: string, cwd: string) {
  const { base, glob } = picomatch.scan(pattern);
  const start = resolve(cwd, base);
  // Patterns use slashes on every system.
  const matches = picomatch(glob);
  const words = new Set(pattern.split('/'));
  const found: { readonly full: string; readonly isFolder: boolean }[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      const full = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      const closed = isFolder && !words.has(entry.name) && (entry.name.startsWith('.') || ENTERED_BY_NAME.has(entry.name));
      if (closed) continue;
      if (matches(relative(start, full).split(sep).join('/'))) found.push({ full, isFolder });
      if (isFolder && depth < DEEPEST) look(full, depth + 1);
    }
  };
  look(start, 0);
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  } catch {
    // A folder that does not exist or cannot be read has no matches.
    return [];
  }
}

const isScenarioFile = (name: string): boolean => /\.(ya?ml|json)$/.test(name);
/** The folder of scenarios that are broken on purpose: run only when it is named. */
export const ON_REQUEST = 'broken';
/** Subfolders that a run of a folder skips: files that scenarios refer to, and scenarios that run on request. */
const LEFT_OUT: ReadonlySet<string> = new Set(['manifests', ON_REQUEST, 'node_modules']);

/** Returns the files below a folder in byte order; `problems` receives folders that cannot be read. */
function filesBelow(folder: string, problems: string[], cwd: string): string[] {
  let entries;
  try {
    entries = onSystem(`${shownAs(folder, cwd)}: cannot be read`, () => readdirSync(folder, { withFileTypes: true }));
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    problems.push(error.message);
    return [];
  }
  return entries
    .sort((a, b) => compareText(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : filesBelow(path, problems, cwd);
      return isScenarioFile(entry.name) ? [path] : [];
    });
}

/** The message for a path that does not exist, with the nearest name in its folder. */
export function missing(path: string, cwd: string): string {
  const folder = dirname(path);
  let names: string[] = [];
  try {
    names = readdirSync(resolve(cwd, folder));
  } catch {
    /* The folder is missing too: no suggestion. */
  }
  const near = nearest(basename(path), names);
  return `${path}: no such file or folder${near === undefined ? '' : `; did you mean ${join(folder, near)}?`}`;
}

function matching(pattern: string, problems: string[], cwd: string): readonly string[] {
  const files = globbed(pattern, cwd).flatMap(({ full, isFolder }) => {
    if (!isFolder) return isScenarioFile(full) ? [full] : [];
    // With `**` the files below match by themselves.
    return pattern.includes('**') ? [] : filesBelow(full, problems, cwd);
  });
  return [...new Set(files)];
}

/**
 * Returns the files of a path: itself, those below a folder, or those that match a pattern, if the shell has not expanded it; and the
 * problems of folders below that cannot be read.
 */
export function expand(path: string, cwd: string) {
  const full = resolve(cwd, path);
  const stat = onSystem(`${path}: cannot be read`, () => statSync(full, { throwIfNoEntry: false }));
  const isPattern = stat === undefined && isGlob(path);
  if (stat === undefined && !isPattern) throw new BadInput(missing(path, cwd));
  if (stat?.isDirectory() === false) return { files: [full], inFolder: false, problems: [] };
  const problems: string[] = [];
  const files = isPattern ? matching(path, problems, cwd) : filesBelow(full, problems, cwd);
  if (files.length > 0) return { files, inFolder: true, problems };
  const none = isPattern
    ? 'no scenario file (.yaml, .yml, .json) has a name like that'
    : 'no scenario files (.yaml, .yml, .json) in this folder';
  throw new BadInput(problems.length > 0 ? problems : `${path}: ${none}`);
}

/** A path for messages: relative to the working directory, unless it is outside. */
export const shownAs = (full: string, cwd: string): string => {
  const path = relative(cwd, full);
  return path === '' || path.startsWith('..') ? full : path;
};

/** The path without symbolic links, so that two names of one file are recognised; a path that does not exist as it is. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
