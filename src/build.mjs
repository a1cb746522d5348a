// Makes dist/ from src/: `node src/build.mjs [--types] [--unless-fresh] [--programs] [--out FOLDER]`. Runs after every `npm ci` (script
// "prepare") and before `npm test`, which is content with what is there if nothing has changed since (`fresh.mjs`). `--programs` makes these alone.
//
// Programs carry their dependencies: resolving a few hundred files of node_modules costs more than half of a start.
// The library keeps them as imports: whoever uses orchsim from code should share one rxjs and one fast-check with it.
// Files are put in place by rename and stale ones are removed last, so a program that starts meanwhile finds a whole one.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { soonOver } from '../bin/kept.js';
import { branchesIn } from './branches.mjs';
import { inputsOf, isFresh, stamp, STAMP } from './fresh.mjs';
import { packedScenarios } from './pack-scenarios.mjs';
import { noticeOf, packagesIn } from './licences.mjs';

const root = resolve(import.meta.dirname, '..');
const option = (name) => process.argv.indexOf(name) + 1 || undefined;
const out = resolve(root, option('--out') === undefined ? 'dist' : process.argv[option('--out')]);
const quiet = process.argv.includes('--quiet');

if (process.argv.includes('--unless-fresh') && isFresh(root, out)) {
  if (process.argv.includes('--types')) emitTypes();
  say(`${relative(root, out) || out} is fresh: nothing has changed since the last build`);
  process.exit(0);
}

const { build } = await import('esbuild').catch(() => {
  console.error('esbuild is not installed (an install without development packages?): dist/ stays as it is');
  process.exit(existsSync(join(out, 'orchsim.js')) ? 0 : 1);
});

// A CommonJS package inside an ES module bundle still asks for node's own modules through `require`.
const requireForBundledCommonJs = `import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);`;
const node = { platform: 'node', target: 'node20', splitting: true };

// What the package offers to `require` asks for its parts through a variable, which no bundler follows; beside it lies the same as modules.
const alias = { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') };

const bundles = [
  {
    entries: {
      orchsim: 'src/surfaces/cli/main.ts',
      worker: 'src/surfaces/cli/worker.ts',
      'search-worker': 'src/surfaces/cli/search/worker.ts',
      conformance: 'src/surfaces/conformance/main.ts',
      'conformance-api': 'src/surfaces/conformance/api/main.ts',
      'conformance-scheduler': 'src/surfaces/conformance/scheduler/main.ts',
      explore: 'src/surfaces/testing/main.ts',
      bench: 'bench/main.ts',
      'bench-bytes': 'bench/bytes.ts',
      fuzz: 'bench/fuzz-main.ts',
      'bench-watchers': 'bench/watchers.ts',
    },
    // Chunks stay beside the entries: `new URL('./worker.js', import.meta.url)` must mean the same in each.
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

/** Short commands as a script (bin/kept.js): of the commands only these are in it, since the launcher asks it for no other. */
const kept = {
  entryPoints: { kept: 'src/surfaces/cli/main.ts' },
  outdir: out,
  outExtension: { '.js': '.cjs' },
  entryNames: '[name]-[hash]',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  legalComments: 'none',
  loader: { '.md': 'text' },
  logLevel: 'warning',
  write: false,
  metafile: true,
  alias,
  define: { 'import.meta.url': 'programUrl' },
  banner: { js: '(function (require, module, exports, programUrl) {' },
  footer: { js: '})' },
  plugins: [
    {
      name: 'only short commands',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ path, importer, kind }) =>
          kind === 'dynamic-import' && importer.endsWith('commands/index.ts') && !soonOver.includes(path.slice(2, -3))
            ? { path: './orchsim.js', external: true }
            : undefined,
        );
      },
    },
  ],
};

const onlyPrograms = process.argv.includes('--programs');
const startedAt = process.hrtime.bigint();
const begun = inputsOf(root);
const written = new Set();
// Beside the bundles: it packs while they are made.
const pageMade = onlyPrograms
  ? undefined
  : import('./build-page.mjs').then(({ buildPage }) => buildPage(root)).catch(() => process.exit(1));
/** Outputs of all bundles with what they are made of. */
const made = { outputs: {} };
for (const { entries, options } of onlyPrograms ? bundles.slice(0, 1) : bundles) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: out,
    bundle: true,
    format: 'esm',
    legalComments: 'none',
    loader: { '.md': 'text' },
    logLevel: 'warning',
    write: false,
    metafile: true,
    ...options,
    // What is wrong has been printed by then.
  }).catch(() => process.exit(1));
  mkdirSync(out, { recursive: true });
  Object.assign(made.outputs, metafile.outputs);
  for (const file of outputFiles)
    put(file.path, relative(out, file.path) === 'browser.js' ? withLicences(file.contents, metafile) : file.contents);
}
if (onlyPrograms) {
  say(`built the programs in ${relative(root, out) || out}`);
  process.exit(0);
}
const script = await build({ absWorkingDir: root, ...kept }).catch(() => process.exit(1));
for (const file of script.outputFiles) put(file.path, file.contents);
Object.assign(made.outputs, script.metafile.outputs);
// Its code is kept while the page is made; without it commands only start more slowly. An older script beside it would be taken for it.
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
// What `run --coverage` counts reasons against.
writeFileSync(join(out, 'branches.json'), `${JSON.stringify(branchesIn(root), null, 1)}\n`);
// Programs for whoever works on orchsim, and the chunks that nothing but these load, stay out of the package.
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

/** A file that goes to browsers by itself takes the licences along. */
function withLicences(contents, metafile) {
  const notice = noticeOf(packagesIn(Object.values(metafile.outputs), root)).replaceAll('*/', '* /');
  return Buffer.concat([
    Buffer.from('/*! orchsim with other packages, whose licences stand at the end of this file. */\n'),
    contents,
    Buffer.from(`/*!\n${notice}*/\n`),
  ]);
}

/** What users need: the command, its thread, the library's faces, and the chunks that these load. */
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
