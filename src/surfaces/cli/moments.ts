/** The build with the write barrier, whose runs go back to any moment. It is loaded when it is first needed, for it is large. */
import { createRequire } from 'node:module';
import type { replayMoments, stageMoments } from '../../lab/moments/index.ts';
import { NO_DEFINITIONS, type Definitions } from '../../lab/definitions/index.ts';
import type { BeginTrials, exploringMoments } from '../../lab/search/index.ts';

interface Moments {
  readonly replayMoments: typeof replayMoments;
  readonly stageMoments: typeof stageMoments;
  readonly exploringMoments: typeof exploringMoments;
  readonly trialsOf: BeginTrials;
}

/** What was loaded; the sources have none beside them, so tests put one in. */
export const loaded: { by?: Moments | undefined } = {};

/**
 * Returns it for runs with a user's definitions; undefined: runs begin at the start. The sources have not been built, and what a user wrote
 * cannot go back.
 */
export function momentsBuild(definitions: Definitions): Moments | undefined {
  if (definitions !== NO_DEFINITIONS) return undefined;
  if (!('by' in loaded)) loaded.by = load();
  return loaded.by;
}

/** Begins the trials of a reduction in that build, which is loaded with the first of them. */
export const trialsFor =
  (definitions: Definitions): BeginTrials =>
  (...given) =>
    momentsBuild(definitions)?.trialsOf(...given);

function load(): Moments | undefined {
  try {
    // Beside the program; the name is not known to the bundler, which would include it.
    return createRequire(import.meta.url)(['.', 'moments.cjs'].join('/')) as Moments;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
