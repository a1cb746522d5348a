/** The digest of the shipped scenarios: it identifies the files that the build packed. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { compareText } from '../../../schema/values/index.ts';

/** Returns the digest of all files below a folder, in order of their paths, as base64. */
export function sourcesDigest(folder: string): string {
  const hash = createHash('sha256');
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort(compareText);
  for (const path of paths)
    hash.update(
      `${path}\n${createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('base64')}\n`,
    );
  return hash.digest('base64');
}
