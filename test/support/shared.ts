/** Files that are created once in a run of the tests, and used in any of its processes. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Created by `shared-folder.mjs`. */
    readonly sharedFolder: string;
  }
}

/** The interval of polling for a file that another process creates, in milliseconds. */
const LOOK_MS = 50;

/**
 * Returns the path of a file that `make` writes. The first caller creates it, and all others wait. Where creation fails, it fails for this
 * caller, and the next one tries again.
 */
export async function shared(name: string, make: (path: string) => Promise<void> | void): Promise<string> {
  const path = join(inject('sharedFolder'), name);
  const taken = `${path}.taken`;
  while (!existsSync(path)) {
    try {
      writeFileSync(taken, '', { flag: 'wx' });
    } catch {
      await setTimeout(LOOK_MS);
      continue;
    }
    try {
      // Another process may have completed it since the last check.
      if (existsSync(path)) break;
      await make(`${path}.unfinished`);
      renameSync(`${path}.unfinished`, path);
    } finally {
      rmSync(taken, { force: true });
    }
  }
  return path;
}
