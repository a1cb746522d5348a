// Runs the tools of the checks, each in a separate process.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
/** Files that may be deleted at any time: generated projects, and the incremental state of the compiler. */
const cache = join(root, '.orchsim/types');

const program = (name, bin = name) => {
  const folder = join(root, 'node_modules', name);
  return join(folder, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).bin[bin]);
};

/** The command line of a tool. npm is not used, because its start takes longer than some of the tools. */
export const tools = {
  format: () => [program('oxfmt'), '--check', 'src', 'test', 'bench', 'bin', 'vitest.config.ts'],
  lint: () => [program('oxlint'), '--deny-warnings'],
  build: () => [join(root, 'src/build/main.mjs'), '--unless-fresh'],
  // It keeps the syntax trees of all files: with a larger young generation, and without threads of its own, collecting them takes less.
  unused: () => ['--single-threaded-gc', '--max-semi-space-size=64', program('knip')],
  // One checker, because several repeat each other's work.
  types: (project = root) => [program('typescript', 'tsc'), '--singleThreaded', '-p', project],
  tests: (words) => [program('vitest'), 'run', ...words],
};

/**
 * The compiler and the type linter are Go programs that end before they need more memory than this: collecting garbage takes a sixth of their
 * time, and is left out. Other tools pass theirs on to bundlers that stay for a whole run of the tests.
 */
const goOptions = ([path = '']) => ({
  ...(/\/(?:typescript|oxlint)\//.test(path) ? { GOGC: 'off', GOMEMLIMIT: '3GiB' } : { GOGC: '400' }),
  // The type linter alone with one thread: with several, the order of its checks varies, and types that refer to each other are unknown.
  ...(path.includes('oxlint') ? { GOMAXPROCS: '1' } : {}),
});

/** Resolves with the exit code and the output; `shown` prints the output immediately instead. `signal` cancels it. */
export const run = (words, { shown = false, env = {}, signal } = {}) =>
  new Promise((done) => {
    const child = spawn(process.execPath, words, {
      cwd: root,
      env: { ...goOptions(words), ...process.env, ...env },
      stdio: shown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    });
    let text = '';
    child.stdout?.on('data', (data) => (text += data));
    child.stderr?.on('data', (data) => (text += data));
    child.on('error', () => done({ code: 1, text }));
    child.on('close', (code) => done({ code: code ?? 1, text }));
  });

/** A project of these paths with incremental checks. */
export function project(name, include, options = {}) {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, `${name}.json`);
  const compilerOptions = { incremental: true, rootDir: root, tsBuildInfoFile: join(cache, `${name}.tsbuildinfo`), ...options };
  const text = JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: include.map((path) => join(root, path)) });
  writeFileSync(file, text);
  return file;
}
