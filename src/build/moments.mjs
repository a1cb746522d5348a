// Bundles the simulator with a write barrier, so that a run can go back to any of its moments (`src/lab/moments`).
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { build, transform } from 'esbuild';
import { withWriteBarrier } from './write-barrier.mjs';

/** Modules whose variables are state of a world: everything below the surfaces, and what it lets packages keep. */
const WATCHED = /^(?:src\/(?:engine|schema|apiserver|controlplane|lab)\/|node_modules\/rxjs\/)/;
/**
 * What goes back must not be gone back in; the digest and streams of random numbers note themselves, once a step; schemas, kinds, validation
 * and patches make values, and remember only what follows from frozen ones; files of scenarios and the drivers of searches keep no state of
 * a world. Lists and sets of a world are changed by functions of `schema/values/lists`.
 */
const UNWATCHED = new RegExp(
  `^src/(?:${[
    'engine/(?:undo|fingerprint|digest|random-stream)',
    'schema/(?!values/lists)',
    'apiserver/(?:kinds|machinery|objects/object|patch|request|structs|structural|validation|write/(?:changed|create|stages|tracking|update|write))',
    'lab/(?:moments|scenario|explore|search/(?!exhaustive/state|cause))',
  ].join('|')})`,
);
/** By path, in one build: the page and the programs have the same modules. */
const known = new Map();

function watched(path, name) {
  const code = known.get(path) ?? withBarrier(path, name);
  known.set(path, code);
  return code;
}

async function withBarrier(path, name) {
  const source = readFileSync(path, 'utf8');
  const sourceType = /\b(?:import|export)\b/.test(source) ? 'module' : 'script';
  const { code } = await transform(source, { loader: path.endsWith('.ts') ? 'ts' : 'js', target: 'es2022', legalComments: 'none' });
  return withWriteBarrier(code, { sourceType, name });
}

/** The plugin that puts the barrier into the modules of a world. */
export const barrier = (root) => ({
  name: 'write barrier',
  setup({ onLoad }) {
    onLoad({ filter: /\.(?:ts|js)$/ }, async ({ path }) => {
      const name = relative(root, path).split(sep).join('/');
      return WATCHED.test(name) && !UNWATCHED.test(name) ? { contents: await watched(path, name), loader: 'js' } : undefined;
    });
  },
});

/** Builds entry points, by their names in `out`, as scripts that a program can load without waiting. */
export async function buildMoments({ root, entries, out, write = true, ...options }) {
  return build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: out,
    bundle: true,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
    write,
    metafile: true,
    alias: { rxjs: join(root, 'node_modules/rxjs/dist/esm/index.js') },
    define: { WRITE_BARRIER: 'true', 'import.meta.url': 'scriptUrl' },
    banner: { js: `const scriptUrl = require('node:url').pathToFileURL(__filename).href;` },
    inject: [join(root, 'src/build/barrier-names.mjs')],
    plugins: [barrier(root)],
    ...options,
  });
}
