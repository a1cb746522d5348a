/** Patterns such as `scenarios/job/0[1-3]-*` and `job-*`, quoted or on a shell that does not expand them. */
import { readdirSync, type Dirent } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import { compareText } from '../../schema/values/index.ts';

/** Whether a text means more than itself. */
export const isGlob = (text: string): boolean => picomatch.scan(text).isGlob;

/** A test for names; a text without a pattern's signs matches itself alone. */
export const nameMatcher = (pattern: string): ((name: string) => boolean) => {
  // A name is no path: `*` matches whatever stands in it.
  const matches = picomatch(pattern, { bash: true });
  return (name) => name === pattern || matches(name);
};

/** Folders that a pattern enters only where it names them: what is broken on purpose, what scenarios refer to, other people's. */
const ENTERED_BY_NAME: ReadonlySet<string> = new Set(['manifests', 'broken', 'node_modules']);
/** Whatever a pattern says, further down nobody meant to look. */
const DEEPEST = 24;

export interface Globbed {
  /** The whole path. */
  readonly full: string;
  readonly isFolder: boolean;
}

/** What there is that a pattern matches, in byte order; nothing where its fixed part does not exist. */
export function globbed(pattern: string, cwd: string): readonly Globbed[] {
  const { base } = picomatch.scan(pattern);
  const start = resolve(cwd, base);
  // A pattern is written with strokes on every system.
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
    // It is not there, or closed to us: nothing in it matches.
    return [];
  }
}
