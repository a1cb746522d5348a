// Removes the tables of Unicode categories and scripts from the regular expression library in the page's engine: a browser has the same
// tables, and can test each character. They are a thirtieth of the page, and hardly any pattern uses one. The tables of letter cases stay.
import { readFileSync } from 'node:fs';

const LIBRARY = /\/re2js\/build\/index\.js$/;
const TABLES = /static (CATEGORIES|SCRIPTS) = new LazyMap\(\{([\s\S]*?)\n\t\}\);/g;
const NAMES = /^\t\t(\w+): \(\) =>/gm;

/** The code points that match a pattern of the host, in the library's format of ranges: first, last, step. */
const RANGES = `const rangesOfHost = (class_) => {
  const found = [];
  for (let at = 0, from = -1; at <= 0x110000; at++) {
    const is = at < 0x110000 && class_.test(String.fromCodePoint(at));
    if (is && from < 0) from = at;
    else if (!is && from >= 0) { found.push(from, at - 1, 1); from = -1; }
  }
  return new UnicodeRangeTable(new Uint32Array(found));
};
const classesOfHost = (names, prefix) =>
  new LazyMap(Object.fromEntries(names.split(' ').map((name) => [name, () => rangesOfHost(new RegExp('\\\\p{' + prefix + name + '}', 'u'))])));
`;

/** Returns the library without its tables; fails if its source has changed. */
export function withoutTables(text) {
  let replaced = 0;
  const lean = text.replaceAll(TABLES, (_, table, body) => {
    replaced++;
    const names = [...body.matchAll(NAMES)].map(([, name]) => name);
    if (names.length !== body.split('\n').filter((line) => line.trim() !== '').length) throw new Error(`re2js: unknown lines in ${table}`);
    return `static ${table} = classesOfHost('${names.join(' ')}', '${table === 'SCRIPTS' ? 'Script=' : ''}');`;
  });
  const at = lean.indexOf('var UnicodeTables = class');
  if (replaced !== 2 || at < 0) throw new Error('re2js: its tables are not where they were; see src/build/classes-of-the-host.mjs');
  return lean.slice(0, at) + RANGES + lean.slice(at);
}

export const classesOfTheHost = {
  name: 'classes-of-the-host',
  setup(build) {
    build.onLoad({ filter: LIBRARY }, ({ path }) => ({ loader: 'js', contents: withoutTables(readFileSync(path, 'utf8')) }));
  },
};
