/** Bundles a module of a user, TypeScript or JavaScript, with its imports. Only orchsim itself stays an import. */
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import type * as Acorn from 'acorn';
import type * as Esbuild from 'esbuild';
import { watched } from './loops.ts';

/** A bundled module: plain data, so that it can be posted to worker threads. */
export interface Bundle {
  /** The absolute path of the module. */
  readonly file: string;
  /** The path that messages show. */
  readonly shown: string;
  /** The bundled code, with counters in its loops and marks in its asynchronous functions. */
  readonly code: string;
  /** Its source map, as JSON. */
  readonly map: string;
  /** The absolute paths of all files in the bundle. */
  readonly inputs: readonly string[];
}

/** Bundles a module, or adds to the problems: lines with file, line and column. Takes some 30 ms. */
export function bundle(file: string, shown: string, cwd: string, problems: string[]): Bundle | undefined {
  const esbuild = installed<typeof Esbuild>('esbuild');
  const acorn = installed<typeof Acorn>('acorn');
  if (esbuild === undefined || acorn === undefined) {
    const missing = esbuild === undefined ? 'esbuild' : 'acorn';
    problems.push(`${shown}: ${missing} reads modules of users, and it is not installed (npm install installs it)`);
    return undefined;
  }
  try {
    const { outputFiles, metafile } = esbuild.buildSync({
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
      // Strict like a module, so that an assignment to a frozen object throws.
      banner: { js: '"use strict";' },
      logLevel: 'silent',
    });
    const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
    const inputs = Object.keys(metafile.inputs).map((path) => resolve(cwd, path));
    return { file, shown, code: watched(text('.js'), acorn), map: text('.map'), inputs };
  } catch (error) {
    if (!isFailure(error)) throw error;
    problems.push(...error.errors.map((message) => problemText(message, shown)));
    return undefined;
  }
}

/** Loads a package only when a command has plugins, because loading takes time. Returns undefined if it is not installed. */
function installed<T>(name: 'esbuild' | 'acorn'): T | undefined {
  try {
    return createRequire(import.meta.url)(name) as T;
  } catch {
    return undefined;
  }
}

const isFailure = (error: unknown): error is Esbuild.BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors);

const problemText = ({ text, location }: Esbuild.Message, shown: string): string =>
  location === null ? `${shown}: ${text}` : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
