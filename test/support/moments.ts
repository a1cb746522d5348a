/** The build with the write barrier: that of `dist` if nothing has changed since, or one that is made for the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFresh } from '../../src/build/fresh.mjs';
import { buildMoments } from '../../src/build/moments.mjs';
import type * as Product from '../../src/moments.ts';
import { root } from './shipped.ts';

const load = (folder: string): typeof Product => createRequire(import.meta.url)(join(folder, 'moments.cjs')) as typeof Product;

export async function momentsProduct(): Promise<typeof Product> {
  const dist = join(root, 'dist');
  if (isFresh(root, dist)) return load(dist);
  const folder = mkdtempSync(join(tmpdir(), 'moments-'));
  try {
    await buildMoments({ root, entries: { moments: join(root, 'src/moments.ts') }, out: folder });
    return load(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
