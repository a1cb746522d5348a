/** The build with the write barrier, whose runs go back to any moment. It is loaded when it is first needed, for it is large. */
import { createRequire } from 'node:module';
import type { replayMoments, stageMoments } from '../../lab/moments/index.ts';
import type { exploringMoments } from '../../lab/search/index.ts';

interface Moments {
  readonly replayMoments: typeof replayMoments;
  readonly stageMoments: typeof stageMoments;
  readonly exploringMoments: typeof exploringMoments;
}

/** What was loaded; the sources have none beside them, so tests put one in. */
export const loaded: { by?: Moments | undefined } = {};

/** Returns it; undefined where it has not been built, as in the sources: then runs begin at the start. */
export function momentsBuild(): Moments | undefined {
  if (!('by' in loaded)) loaded.by = load();
  return loaded.by;
}

function load(): Moments | undefined {
  try {
    // Beside the program; the name is not known to the bundler, which would include it.
    return createRequire(import.meta.url)(['.', 'moments.cjs'].join('/')) as Moments;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
