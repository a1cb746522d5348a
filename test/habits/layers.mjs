// Checks one layer: its types against only the layers below it, and its tests.
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { project, root, run, tools } from './run.mjs';

/** The list of layers and the function for the nearest name, bundled from the sources. */
async function plan() {
  const contents = `export { LAYERS } from './test/layers/layers.ts'; export { nearest } from './src/schema/values/index.ts';`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const { LAYERS, nearest } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return { layers: LAYERS.map(({ name }) => name), nearest };
}

/** Returns the layers up to one, from below; or what is wrong with its name. */
export async function layersUpTo(name) {
  const { layers, nearest } = await plan();
  const level = layers.indexOf(name);
  if (level >= 0) return { layers: layers.slice(0, level + 1) };
  const near = nearest(name, layers);
  return { error: `there is no layer ${name}${near === undefined ? '' : `: did you mean ${near}?`} (there are ${layers.join(', ')})` };
}

/**
 * Checks the types of a layer: first its sources, as a project without the layers above (TS6307 names a file that imports from above), then
 * its tests.
 */
export async function typesOf(layers) {
  const [name] = layers.slice(-1);
  const sources = layers.map((layer) => join('src', layer));
  // A composite project must list its files, so the layers above are excluded.
  const own = project(name, sources, { composite: true });
  const tests = project(`${name}-tests`, [...sources, join('test', name)]);
  const results = [await run(tools.types(own)), await run(tools.types(tests))];
  return { code: results.some(({ code }) => code !== 0) ? 1 : 0, text: results.map(({ text }) => text).join('') };
}
