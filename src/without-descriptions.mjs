// Leaves out of a bundle what kinds say of themselves to those who ask over HTTP or at a terminal: texts, values and examples of fields,
// their numbers on the wire, columns of tables, what of upstream they model; and of settings what they do and come to. The engine in a page
// is asked none of it. What else such files hold stays as it is.
import { readFileSync } from 'node:fs';

const FILES = /\/apiserver\/kinds\/[^/]+\/(?:columns|texts|wire|example)\.ts$/;
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
    build.onLoad({ filter: STANDINGS }, ({ path }) => ({ loader: 'ts', contents: readFileSync(path, 'utf8').replaceAll(AT_WORK, '') }));
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
