import type { BuildOptions, BuildResult } from 'esbuild';

/** What to build: entry points by the names of their files in `out`, and other options of the bundler. */
export interface MomentsBuild extends Omit<BuildOptions, 'entryPoints'> {
  readonly root: string;
  readonly entries: Readonly<Record<string, string>>;
  readonly out: string;
}

/** Builds entry points with a write barrier below the surfaces, as scripts to `require`: `NAME.cjs`. */
export function buildMoments(build: MomentsBuild): Promise<BuildResult>;
