// Leaves out of a bundle the descriptions that only HTTP clients and terminals ask for: texts of schemas, examples, columns of tables, what of
// upstream is modelled, and what settings do. The engine in a page serves none of them. Everything else in such files stays as it is.
import { readFileSync } from 'node:fs';
import { parse } from 'acorn';
import { transform } from 'esbuild';

const KINDS = /\/apiserver\/(?:kinds|machinery|structs|validation)\/.*\.ts$/;
/** What components model of upstream, for the lists of the command. */
const MODELLED = /\/controlplane\/(?:controllers|agents)\/.*\.ts$/;
const MODELS = /(?<=^ +models:\s+)(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`$]*`)/gm;
/** The effects of settings and gates, for `orchsim config`: a run reports only those without effect. */
const EFFECTS = /\/controlplane\/config\/(?:agent-fields|scheduler-flags|registry\/gates)\.ts$/;
/** Warnings about files and flags, for `orchsim config`: a run reports only errors. */
const WARNED = /\/controlplane\/config\/(?:agent|scheduler|agent-rules)\.ts$/;
const WARNINGS = /\b(?:warnings\.add|warn)\((?:[^()]|\([^()]*\))*\);/g;
/** The outline of a process, for `orchsim config`. */
const OUTLINE = /\/controlplane\/config\/outline\.ts$/;

/** Tables of kinds that a page does not use, with their replacement. */
const TABLES = { columns: '[]', column: 'undefined', example: '{}' };

/** Yields the descriptions of a module with their replacements: texts of `obj`, all of `field` but the schema and its facets, tables, `models`. */
function* descriptionsIn(node, builders) {
  if (node === null || typeof node !== 'object') return;
  if (
    node.type === 'CallExpression' &&
    builders.has(node.callee.name) &&
    node.callee.name === 'obj' &&
    typeof node.arguments[1]?.value === 'string'
  )
    yield [node.arguments[1].start, node.arguments[2].start, ''];
  if (node.type === 'CallExpression' && builders.has(node.callee.name) && node.callee.name === 'field') {
    const [, second, ...rest] = node.arguments;
    // The text is a literal or a name, the schema most often a call: `field(1, 'Its name.', req(str()), facets)`, `field(1, req(str()), facets)`.
    const hasText = rest.length > 0 && second.type !== 'CallExpression';
    const [schema, facets] = hasText ? rest : [second, ...rest];
    yield [node.start, schema.start, facets === undefined ? '' : '{ ...'];
    yield facets === undefined ? [schema.end, node.end, ''] : [schema.end, facets.start, ', ...'];
    if (facets !== undefined) yield [facets.end, node.end, ' }'];
  }
  if (node.type === 'Property' && node.key.name === 'models') {
    yield [node.value.start, node.value.end, "''"];
    return;
  }
  if (node.type === 'Property' && Object.hasOwn(TABLES, node.key.name) && /^(?:Array|Object)Expression$/.test(node.value.type)) {
    yield [node.value.start, node.value.end, TABLES[node.key.name]];
    return;
  }
  for (const inner of Object.values(node)) yield* descriptionsIn(inner, builders);
}

/** The builders of schemas that a module imports: a function of its own may have the same name. */
const buildersOf = ({ body }) =>
  new Set(
    body
      .filter(({ type, source }) => type === 'ImportDeclaration' && source.value.endsWith('schema/shape/index.ts'))
      .flatMap(({ specifiers }) => specifiers.map(({ local }) => local.name)),
  );

/** Yields the effects in tables of settings and of gates: texts as third argument of `setting`, texts of gates. */
function* effectsIn(node) {
  if (node === null || typeof node !== 'object') return;
  const effect = node.type === 'CallExpression' && node.callee.name === 'setting' ? node.arguments[2] : undefined;
  const text = effect ?? (node.type === 'Property' && /^[A-Z]/.test(node.key.name) ? node.value : undefined);
  if (typeof text?.value === 'string') yield [text.start, text.end, "''"];
  for (const inner of Object.values(node)) yield* effectsIn(inner);
}

/** Returns a module of kinds, or of their shared parts, without its descriptions. */
export const withoutDescriptionsIn = (source) => without(source, (program) => descriptionsIn(program, buildersOf(program)));

/** Returns a module in JavaScript with parts replaced. */
async function without(source, partsOf) {
  const { code } = await transform(source, { loader: 'ts' });
  let rest = code;
  const parts = [...partsOf(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))];
  for (const [start, end, left] of parts.sort(([a], [b]) => b - a)) rest = rest.slice(0, start) + left + rest.slice(end);
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
    build.onLoad({ filter: EFFECTS }, async ({ path }) => ({
      loader: 'js',
      contents: await without(readFileSync(path, 'utf8'), effectsIn),
    }));
    build.onLoad({ filter: WARNED }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(WARNINGS, '{}'),
    }));
    build.onLoad({ filter: KINDS }, async ({ path }) => ({
      loader: 'js',
      contents: await withoutDescriptionsIn(readFileSync(path, 'utf8')),
    }));
    build.onLoad({ filter: MODELLED }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { loader: 'ts', contents: text.replaceAll(MODELS, "''") };
    });
  },
};
