// Leaves out of a bundle the descriptions that only HTTP clients and terminals ask for: texts of schemas, examples, columns of tables, what of
// upstream is modelled, and what settings do. The engine in a page serves none of them. Everything else in such files stays as it is.
import { readFileSync } from 'node:fs';
import { parse } from 'acorn';
import { transform } from 'esbuild';

const FILES = /\/apiserver\/kinds\/[^/]+\/(?:columns|example)\.ts$/;
/** What of upstream kinds and components model, for the lists of the command. */
const MODELLED = /\/(?:apiserver\/kinds|controlplane\/(?:controllers|agents))\/.*\.ts$/;
const MODELS = /(?<=^ +models:\s+)(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`$]*`)/gm;
/** What settings do at work, for `orchsim config`: a run tells only of those that do nothing. */
const STANDINGS = /\/controlplane\/config\/registry\/(?:agent|scheduler)\.ts$/;
const AT_WORK = /^ {2}\[(?:'[^']+', (?:holds|answered|elects)\(.*\],|\n {4}'[^']+',\n {4}(?:holds|answered|elects)\([\s\S]*?^ {2}\],)\n/gm;
/** What gates that are obeyed switch: the names alone say that they are. */
const GATES = /\/controlplane\/config\/registry\/gates\.ts$/;
const OBEYED = /^( {6}\['\w+'), .*\],$/gm;
/** What is warned of in files and flags, for `orchsim config`: a run knows only what is refused. */
const WARNED = /\/controlplane\/config\/(?:agent|scheduler|agent-rules|agent-flags|scheduler-flags)\.ts$/;
const WARNINGS = /\b(?:warnings\.add|warn)\((?:[^()]|\([^()]*\))*\);/g;
const DEPRECATED = /^ {2}\['[\w-]+', '[^'\n]*'\],\n/gm;
/** What a process makes of its settings, for `orchsim config`. */
const OUTLINE = /\/controlplane\/config\/outline\.ts$/;
/** Where schemas are written with `obj(name, about, fields)` and `field(number, says, schema)`. */
const SCHEMAS = /\/apiserver\/(?:kinds|machinery)\/.*\bshapes?\b.*\.ts$|\/apiserver\/machinery\/rbac\/.*\.ts$/;
const TABLE = /^export const (\w+): (?:Example|(readonly) ColumnOf<.*>\[\]) = /gm;
const COLUMNS = /^(export const \w+: readonly ColumnOf<.*>\[\] = )\[$[\s\S]*?^\];$/gm;

/** The parts of a module that only describe: the text of `obj`, and all of `field` but the schema. */
function* descriptionsIn(node) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'CallExpression' && node.callee.name === 'obj' && typeof node.arguments[1]?.value === 'string')
    yield [node.arguments[1].start, node.arguments[2].start];
  if (node.type === 'CallExpression' && node.callee.name === 'field') {
    const schema = node.arguments.at(-1);
    yield [node.start, schema.start];
    yield [schema.end, node.end];
  }
  for (const inner of Object.values(node)) yield* descriptionsIn(inner);
}

/** A module of schemas without texts and wire numbers. */
export async function withoutTexts(source) {
  const { code } = await transform(source, { loader: 'ts' });
  let rest = code;
  const parts = [...descriptionsIn(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))];
  for (const [start, end] of parts.sort(([a], [b]) => b - a)) rest = rest.slice(0, start) + rest.slice(end);
  return rest;
}

export const withoutDescriptions = {
  name: 'without-descriptions',
  setup(build) {
    build.onLoad({ filter: OUTLINE }, ({ path }) => ({
      loader: 'js',
      contents: readFileSync(path, 'utf8')
        .match(/^export function \w+/gm)
        .map((face) => `${face}() {}`)
        .join('\n'),
    }));
    build.onLoad({ filter: STANDINGS }, ({ path }) => ({ loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll(AT_WORK, '') }));
    build.onLoad({ filter: WARNED }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(WARNINGS, '{}').replaceAll(DEPRECATED, ''),
    }));
    build.onLoad({ filter: GATES }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(OBEYED, '$1],').replace('([name, does, file])', "([name, does = '', file = ''])"),
    }));
    build.onLoad({ filter: SCHEMAS }, async ({ path }) => ({ loader: 'js', contents: await withoutTexts(readFileSync(path, 'utf8')) }));
    build.onLoad({ filter: FILES }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const tables = [...text.matchAll(TABLE)];
      // A table among others goes out alone.
      if (tables.length !== (text.match(/^export /gm) ?? []).length)
        return { loader: 'ts', contents: text.replaceAll(COLUMNS, (_, head) => `${head}[];`) };
      return {
        loader: 'js',
        contents: tables.map(([, name, list]) => `export const ${name} = ${list === undefined ? '{}' : '[]'};`).join('\n'),
      };
    });
    build.onLoad({ filter: MODELLED }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { loader: 'ts', contents: text.replaceAll(MODELS, "''") };
    });
  },
};
