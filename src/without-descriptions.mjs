// Leaves out of a bundle what kinds say of themselves to those who ask over HTTP or at a terminal: texts, values and examples of fields,
// their numbers on the wire, columns of tables; and what settings do that do something. The engine in a page is asked none of it. Files that hold anything else stay as they are.
import { readFileSync } from 'node:fs';

const FILES = /\/apiserver\/kinds\/[^/]+\/(?:columns|texts|wire|example)\.ts$/;
/** What settings do at work, for `orchsim config`: a run tells only of those that do nothing. */
const STANDINGS = /\/controlplane\/config\/registry\/(?:agent|scheduler)\.ts$/;
const AT_WORK = /^ {2}\[(?:'[^']+', (?:holds|answered|elects)\(.*\],|\n {4}'[^']+',\n {4}(?:holds|answered|elects)\([\s\S]*?^ {2}\],)\n/gm;
/** What a process makes of its settings, for `orchsim config`. */
const OUTLINE = /\/controlplane\/config\/outline\.ts$/;
const TABLE = /^export const (\w+): (?:Texts|Values|Wire|Example|(readonly) ColumnOf<.*>\[\]) = /gm;

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
    build.onLoad({ filter: FILES }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const tables = [...text.matchAll(TABLE)];
      if (tables.length !== (text.match(/^export /gm) ?? []).length) return undefined;
      return {
        loader: 'js',
        contents: tables.map(([, name, list]) => `export const ${name} = ${list === undefined ? '{}' : '[]'};`).join('\n'),
      };
    });
  },
};
