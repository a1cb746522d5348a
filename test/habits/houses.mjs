// One floor of the house, alone: its types, with nothing in reach but the floors below, and its tests.
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { project, root, run, tools } from './run.mjs';

/** The plan of the house and the way to the nearest name, as they stand in the sources. */
async function plan() {
  const contents = `export { FLOORS } from './test/layers/floors.ts'; export { nearest } from './src/grammar/values/index.ts';`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const { FLOORS, nearest } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return { floors: FLOORS.map(({ name }) => name), nearest };
}

/** The floors up to one, from below; or what is wrong with its name. */
export async function floorsUpTo(name) {
  const { floors, nearest } = await plan();
  const level = floors.indexOf(name);
  if (level >= 0) return { floors: floors.slice(0, level + 1) };
  const near = nearest(name, floors);
  return { error: `there is no house ${name}${near === undefined ? '' : `: did you mean ${near}?`} (there are ${floors.join(', ')})` };
}

/** Checks its types: first the sources, as a project that holds no floor above (TS6307 names whoever reaches up), then those of its tests. */
export async function typesOf(floors) {
  const [name] = floors.slice(-1);
  const sources = floors.map((floor) => join('src', floor));
  // A composite project must list its files: what lies above is in no list.
  const own = project(name, sources, { composite: true });
  const tests = project(`${name}-tests`, [...sources, join('test', name)]);
  const results = [await run(tools.types(own)), await run(tools.types(tests))];
  return { code: results.some(({ code }) => code !== 0) ? 1 : 0, text: results.map(({ text }) => text).join('') };
}
