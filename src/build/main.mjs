// Builds dist/ from src/: `node src/build/main.mjs [--types] [--unless-fresh] [--programs] [--out FOLDER]`. Runs after every `npm ci` (script
// "prepare") and before `npm test`, which skips it if nothing has changed since (`fresh.mjs`). `--programs` builds only the programs.
// Programs include their dependencies, because resolving a few hundred files of node_modules takes more than half of a start. The library
// imports them, because code that uses orchsim should share one rxjs and one fast-check with it. Files are renamed into place and stale
// ones are removed last, so a program that starts meanwhile finds a complete build.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import kept from '../../bin/kept.js';
import { branchesIn } from './branches.mjs';
import { inputsOf, isFresh, stamp, STAMP } from './fresh.mjs';
import { packedScenarios } from './pack-scenarios.mjs';
import { noticeOf, packagesIn } from './licences.mjs';

const root = resolve(import.meta.dirname, '../..');
const option = (name) => process.argv.indexOf(name) + 1 || undefined;
const out = resolve(root, option('--out') === undefined ? 'dist' : process.argv[option('--out')]);
const quiet = process.argv.includes('--quiet');

// esbuild is a Go program: collecting garbage less often saves a quarter of its time.
process.env['GOGC'] ??= '400';

if (process.argv.includes('--unless-fresh') && isFresh(root, out)) {
  if (process.argv.includes('--types')) emitTypes();
  say(`${relative(root, out) || out} is fresh: nothing has changed since the last build`);
  process.exit(0);
}

const { build } = await import('esbuild').catch(() => {
  console.error('esbuild is not installed (an install without development packages?): dist/ stays as it is');
  process.exit(existsSync(join(out, 'orchsim.js')) ? 0 : 1);
});

// A CommonJS package inside an ES module bundle still loads node's modules by `require`.
const requireForBundledCommonJs = `import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);`;
const node = { platform: 'node', target: 'node20', splitting: true };

// The package's `require` entry loads its parts through a variable, which bundlers cannot follow; its module entry does not.
const alias = { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') };

const bundles = [
  {
    entries: {
      orchsim: 'src/surfaces/cli/main.ts',
      worker: 'src/surfaces/cli/worker.ts',
      'search-worker': 'src/surfaces/cli/search/worker.ts',
      conformance: 'test/conformance/main.ts',
      'conformance-api': 'test/conformance/api/main.ts',
      'conformance-scheduler': 'test/conformance/scheduler/main.ts',
      explore: 'bench/explore.ts',
      bench: 'bench/main.ts',
      'bench-bytes': 'bench/bytes.ts',
      'bench-run-bytes': 'bench/run-bytes.ts',
      fuzz: 'bench/fuzz-main.ts',
      'bench-watchers': 'bench/watchers.ts',
    },
    // Chunks are in the folder of the entries, because `new URL('./worker.js', import.meta.url)` must have the same meaning in each.
    options: { ...node, alias, chunkNames: 'program-[hash]', banner: { js: requireForBundledCommonJs } },
  },
  {
    entries: {
      index: 'src/index.ts',
      internals: 'src/internals.ts',
      testing: 'src/testing.ts',
      vitest: 'src/vitest.ts',
      'fast-check': 'src/fast-check.ts',
    },
    options: { ...node, chunkNames: 'library-[hash]', packages: 'external' },
  },
  {
    entries: { browser: 'src/browser.ts' },
    options: { platform: 'browser', target: 'es2022', minify: true },
  },
];

/** Parts of Node that take long to load and that few commands need. */
const RARE = /^node:(?:child_process|os|worker_threads|zlib)$/;

/** A classic script with these commands (bin/kept.js). It contains no other, because the launcher uses it for no other. */
const scriptOf = (entryPoints, entryNames, commands) => ({
  entryPoints,
  outdir: out,
  outExtension: { '.js': '.cjs' },
  entryNames,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  legalComments: 'none',
  loader: { '.md': 'text', '.yaml': 'text', '.sh': 'text', '.txt': 'text' },
  logLevel: 'warning',
  write: false,
  metafile: true,
  alias,
  define: { 'import.meta.url': 'programUrl' },
  banner: { js: '(function (require, module, exports, programUrl) {' },
  footer: { js: '})' },
  plugins: [
    {
      name: 'only these commands',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, importer, kind }) =>
          kind === 'dynamic-import' && importer.endsWith('commands/index.ts') && !commands.includes(path.slice(2, -3))
            ? { path: './orchsim.js', external: true }
            : undefined,
        );
      },
    },
    {
      name: 'rare parts of Node are loaded at their first use',
      setup({ onResolve, onLoad }) {
        onResolve({ filter: RARE }, ({ path, namespace }) =>
          namespace === 'rare' ? { path, external: true } : { path, namespace: 'rare' },
        );
        onLoad({ filter: RARE, namespace: 'rare' }, async ({ path }) => ({
          contents: `module.exports = {${Object.keys(await import(path))
            .filter((name) => name !== 'default')
            .map((name) => `get ${name}() { return require(${JSON.stringify(path)}).${name}; }`)
            .join(',')}};`,
        }));
      },
    },
  ],
});
const short = scriptOf({ kept: 'src/surfaces/cli/main.ts' }, '[name]-[hash]', kept.soonOver);
const about = scriptOf({ about: 'src/surfaces/cli/about-main.ts' }, '[name]', []);

/** The simulator that can go back, for commands that ask about several moments of a run (`src/surfaces/cli/moments.ts`). */
const moments = { root, entries: { moments: join(root, 'src/moments.ts') }, out, write: false, minifyWhitespace: true };

const onlyPrograms = process.argv.includes('--programs');
const startedAt = process.hrtime.bigint();
const begun = inputsOf(root);
const written = new Set();
// These run in parallel with the bundles.
const momentsMade = onlyPrograms
  ? undefined
  : import('./moments.mjs').then(({ buildMoments }) => buildMoments(moments)).catch(() => process.exit(1));
const pageMade = onlyPrograms ? undefined : import('./page.mjs').then(({ buildPage }) => buildPage(root)).catch(() => process.exit(1));
/** The outputs of all bundles, with their inputs. */
const made = { outputs: {} };
for (const { entries, options } of onlyPrograms ? bundles.slice(0, 1) : bundles) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: out,
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    loader: { '.md': 'text', '.yaml': 'text', '.sh': 'text', '.txt': 'text' },
    logLevel: 'warning',
    write: false,
    metafile: true,
    ...options,
    // The error has been printed already.
  }).catch(() => process.exit(1));
  mkdirSync(out, { recursive: true });
  Object.assign(made.outputs, metafile.outputs);
  for (const file of outputFiles)
    put(file.path, relative(out, file.path) === 'browser.js' ? withLicences(file.contents, metafile) : Buffer.from(withOneKey(file.text)));
}
if (onlyPrograms) {
  say(`built the programs in ${relative(root, out) || out}`);
  process.exit(0);
}
const scripts = await Promise.all([short, about].map((each) => build({ absWorkingDir: root, ...each }))).catch(() => process.exit(1));
for (const each of [...scripts, await momentsMade]) {
  const { outputFiles, metafile } = each;
  for (const file of outputFiles) put(file.path, scripts.includes(each) ? inAscii(withOneKey(file.text)) : file.contents);
  Object.assign(made.outputs, metafile.outputs);
}
// Compiles its code while the page is built; without it commands only start more slowly. A stale script must be removed, because it would
// be used.
removeStale(/^kept-\w+\.(?:cjs|code)$/);
const codeKept = once(spawn(process.execPath, [join(import.meta.dirname, 'keep-code.mjs'), out], { stdio: 'ignore' }), 'close');
const page = await pageMade;
put(join(out, 'page.html'), page.html);
put(join(out, 'CHANGELOG.md'), readFileSync(join(root, 'src/CHANGELOG.md')));
put(join(out, 'recording.html'), page.recording);
const scenarios = await packedScenarios(root, out);
if (scenarios !== undefined) put(join(out, 'scenarios.txt'), scenarios);
const outputs = new Map(Object.entries(made.outputs).map(([path, output]) => [relative(out, resolve(root, path)), output]));
const packed = ofThePackage(outputs);
writeFileSync(
  join(out, 'NOTICE.txt'),
  noticeOf(packagesIn([...packed.map((name) => outputs.get(name)), ...Object.values(page.outputs)], root)),
);
// The reasons for `run --coverage`.
writeFileSync(join(out, 'branches.json'), `${JSON.stringify(branchesIn(root), null, 1)}\n`);
// Programs for developers of orchsim, and chunks that only these load, are not in the package.
writeFileSync(
  join(out, '.npmignore'),
  [STAMP, ...outputs.keys()]
    .filter((name) => !packed.includes(name))
    .sort((a, b) => (a < b ? -1 : 1))
    .join('\n'),
);
await codeKept;
removeStale(/\.(?:js|cjs|code)$/);
const read = [...Object.values(made.outputs), ...Object.values(page.outputs)].flatMap(({ inputs }) => Object.keys(inputs));
stamp(root, out, begun, [...new Set(read)]);
if (process.argv.includes('--types')) emitTypes();
say(`built ${relative(root, out) || out} in ${(process.hrtime.bigint() - startedAt) / 1_000_000n} ms`);

function put(path, contents) {
  const name = relative(out, path);
  const command = name === 'orchsim.js';
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, command ? Buffer.concat([Buffer.from('#!/usr/bin/env node\n'), contents]) : contents);
  if (command) chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
  written.add(name);
}

/**
 * esbuild wraps each module of a script in an object whose only key is the module's path. V8 keeps hidden classes for at most 1,536 first
 * members of small objects. The 1,200 paths left too few: an object whose first member was new after that had a hidden class of its own.
 */
function withOneKey(text) {
  return text.replaceAll(/\b(__esm|__commonJS)\(\{"[^"\n]+"\(/g, '$1({m(');
}

/** esbuild escapes all but regular expressions, where an escape means the same; text in ASCII is decoded faster, and is half as large in memory. */
function inAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A file that is served to browsers contains the licences. */
function withLicences(contents, metafile) {
  const notice = noticeOf(packagesIn(Object.values(metafile.outputs), root)).replaceAll('*/', '* /');
  return Buffer.concat([
    Buffer.from('/*! orchsim with other packages, whose licences stand at the end of this file. */\n'),
    contents,
    Buffer.from(`/*!\n${notice}*/\n`),
  ]);
}

/** The files for users: the command, its worker, the library's entry points, and the chunks that these load. */
function ofThePackage(outputs) {
  const names = new Set([
    'orchsim.js',
    'worker.js',
    'search-worker.js',
    'index.js',
    'testing.js',
    'vitest.js',
    'fast-check.js',
    'browser.js',
  ]);
  for (const name of outputs.keys()) if (name.endsWith('.cjs')) names.add(name);
  for (const name of names)
    for (const { path, external } of outputs.get(name)?.imports ?? []) if (external !== true) names.add(relative(out, resolve(root, path)));
  return [...names];
}

function removeStale(these) {
  for (const name of readdirSync(out)) if (these.test(name) && !written.has(name.replace(/\.code$/, '.cjs'))) rmSync(join(out, name));
}

function emitTypes() {
  const { bin } = JSON.parse(readFileSync(join(root, 'node_modules/typescript/package.json'), 'utf8'));
  const compiler = join(root, 'node_modules/typescript', bin.tsc);
  const types = join(out, 'types');
  rmSync(types, { recursive: true, force: true });
  execFileSync(process.execPath, [compiler, '--singleThreaded', '-p', join(root, 'src/tsconfig.json'), '--outDir', types], {
    stdio: 'inherit',
  });
}

function say(line) {
  if (!quiet) console.log(line);
}
