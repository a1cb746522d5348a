/** A module of somebody's own, TypeScript or JavaScript, as one text with everything it imports but orchsim itself. */
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import type * as Acorn from 'acorn';
import type * as Esbuild from 'esbuild';
import { watched } from './loops.ts';

/** A bundled module: plain data, so that worker threads can be given it. */
export interface Bundle {
  /** The whole path of the module. */
  readonly file: string;
  /** As messages name it. */
  readonly shown: string;
  /** With its loops counted and its asynchronous functions marked. */
  readonly code: string;
  /** Its source map, as JSON. */
  readonly map: string;
  /** The whole paths of all files it is made of. */
  readonly inputs: readonly string[];
}

export type Bundled = { readonly bundle: Bundle } | { readonly problems: readonly string[] };

/** Bundles a module; what is wrong with it comes as lines with file, line and column. Takes some 30 ms. */
export function bundle(file: string, shown: string, cwd: string): Bundled {
  const esbuild = installed<typeof Esbuild>('esbuild');
  const acorn = installed<typeof Acorn>('acorn');
  if (esbuild === undefined || acorn === undefined) {
    const missing = esbuild === undefined ? 'esbuild' : 'acorn';
    return { problems: [`${shown}: ${missing} reads modules of your own, and it is not installed (npm install brings it)`] };
  }
  try {
    return bundled(
      file,
      shown,
      cwd,
      acorn,
      esbuild.buildSync({
        absWorkingDir: cwd,
        entryPoints: [file],
        outfile: resolve(cwd, `${basename(file)}.js`),
        bundle: true,
        write: false,
        metafile: true,
        format: 'cjs',
        platform: 'node',
        // An import() becomes a promise for a module, which is a finding in a decision, as any promise is.
        supported: { 'dynamic-import': false },
        target: 'node20',
        external: ['orchsim', 'orchsim/*'],
        loader: { '.yaml': 'text', '.yml': 'text' },
        sourcemap: 'external',
        // As modules are: what is frozen says so when somebody assigns to it.
        banner: { js: '"use strict";' },
        logLevel: 'silent',
      }),
    );
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { problems: error.errors.map((message) => problemText(message, shown)) };
  }
}

/** Only who has a module of their own pays for it. */
function installed<T>(name: 'esbuild' | 'acorn'): T | undefined {
  try {
    return createRequire(import.meta.url)(name) as T;
  } catch {
    return undefined;
  }
}

function bundled(
  file: string,
  shown: string,
  cwd: string,
  acorn: typeof Acorn,
  { outputFiles = [], metafile }: Esbuild.BuildResult,
): Bundled {
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const inputs = Object.keys(metafile?.inputs ?? {}).map((path) => resolve(cwd, path));
  return { bundle: { file, shown, code: watched(text('.js'), acorn), map: text('.map'), inputs } };
}

const isFailure = (error: unknown): error is Esbuild.BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

const problemText = ({ text, location }: Esbuild.Message, shown: string): string =>
  location === null ? `${shown}: ${text}` : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
