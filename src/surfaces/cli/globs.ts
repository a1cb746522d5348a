/** Patterns such as `scenarios/job/0[1-3]-*` and `job-*`, for shells that do not expand them and for quoted patterns. */
import { readdirSync, type Dirent } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { compareText } from '../../schema/values/index.ts';

/** Whether a text is a pattern. */
export const isGlob = (text: string): boolean => picomatch.scan(text).isGlob;

/** Returns a matcher of names. A text without special characters matches only itself. */
export const nameMatcher = (pattern: string): ((name: string) => boolean) => {
  // A name is not a path: `*` also matches slashes.
  const matches = picomatch(pattern, { bash: true });
  return (name) => name === pattern || matches(name);
};

/** Folders that a pattern enters only by name: scenarios that are broken on purpose, files that scenarios refer to, packages. */
const ENTERED_BY_NAME: ReadonlySet<string> = new Set(['manifests', 'broken', 'node_modules']);
/** At most so many levels of folders are searched. */
const DEEPEST = 24;

export interface Globbed {
  /** The absolute path. */
  readonly full: string;
  readonly isFolder: boolean;
}

/** Returns the paths that match a pattern, in byte order; empty if its fixed part does not exist. */
export function globbed(pattern: string, cwd: string): readonly Globbed[] {
  const { base } = picomatch.scan(pattern);
  const start = resolve(cwd, base);
  // Patterns use slashes on every system.
  const matches = picomatch(pattern.slice(base.length).replace(/^\/+/, ''));
  const words = new Set(pattern.split('/'));
  const found: Globbed[] = [];
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
