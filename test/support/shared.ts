/** What is made once in a run of the tests, for all files that use it, in whatever process they run. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Made by `shared-folder.mjs`. */
    readonly sharedFolder: string;
  }
}

/** How long somebody who waits for another to make it looks away. */
const LOOK_MS = 50;

/**
 * The path of a file that `make` writes to the path it is given: by whoever asks first, all others wait. Where making fails it fails for
 * that one, and the next tries.
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
      // Somebody may have finished it between the look and the taking.
      if (existsSync(path)) break;
      await make(`${path}.unfinished`);
      renameSync(`${path}.unfinished`, path);
    } finally {
      rmSync(taken, { force: true });
    }
  }
  return path;
}
