// Removes from a bundle the descriptions of kinds for HTTP clients and terminals: texts, values and examples of fields, their protobuf
// numbers, table columns, upstream sources; and of settings their effects. The engine in a page does not use them. Everything else in such
// files stays.
import { readFileSync } from 'node:fs';

const FILES = /\/apiserver\/kinds\/[^/]+\/(?:columns|texts|wire|example)\.ts$/;
/** The upstream sources of kinds and components, for the lists of the command. */
const MODELLED = /\/(?:apiserver\/kinds|controlplane\/(?:controllers|agents))\/.*\.ts$/;
const MODELS = /(?<=^ +models:\s+)(?:'(?:[^'\\\n]|\\.)*'|"[^"\n]*"|`[^`$]*`)/gm;
/** The effects of settings, for `orchsim config`: a run reports only those without effect. */
const SETTINGS = /\/controlplane\/config\/registry\/(?:agent|scheduler)\.ts$/;
const AT_WORK = /^ {2}\[(?:'[^']+', (?:holds|answered|elects)\(.*\],|\n {4}'[^']+',\n {4}(?:holds|answered|elects)\([\s\S]*?^ {2}\],)\n/gm;
/** The effects of supported gates: a run only needs their names. */
const GATES = /\/controlplane\/config\/registry\/gates\.ts$/;
const OBEYED = /^( {6}\['\w+'), .*\],$/gm;
/** Warnings about files and flags, for `orchsim config`: a run reports only errors. */
const WARNED = /\/controlplane\/config\/(?:agent|scheduler|agent-rules|agent-flags|scheduler-flags)\.ts$/;
const WARNINGS = /\b(?:warnings\.add|warn)\((?:[^()]|\([^()]*\))*\);/g;
const DEPRECATED = /^ {2}\['[\w-]+', '[^'\n]*'\],\n/gm;
/** The outline of a process, for `orchsim config`. */
const OUTLINE = /\/controlplane\/config\/outline\.ts$/;
const TABLE = /^export const (\w+): (?:Texts|Values|Wire|Example|(readonly) ColumnOf<.*>\[\]) = /gm;
const COLUMNS = /^(export const \w+: readonly ColumnOf<.*>\[\] = )\[$[\s\S]*?^\];$/gm;

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
    build.onLoad({ filter: SETTINGS }, ({ path }) => ({ loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll(AT_WORK, '') }));
    build.onLoad({ filter: WARNED }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(WARNINGS, '{}').replaceAll(DEPRECATED, ''),
    }));
    build.onLoad({ filter: GATES }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll(OBEYED, '$1],').replace('([name, does, file])', "([name, does = '', file = ''])"),
    }));
    build.onLoad({ filter: FILES }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const tables = [...text.matchAll(TABLE)];
      // A file that exports anything besides tables stays whole.
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
