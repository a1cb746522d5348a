// Generates the reference of the library's entry points from their docstrings: `npm run docs [-- --out FOLDER | --out -] [--from
// TSCONFIG]`. One Markdown file for each entry point; `-` prints them. Exports without a docstring are listed, and the exit code is 1. The
// compiler reads the sources; nothing is run. Only this file uses the compiler's API (`typescript/unstable`), which may change.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { API } from 'typescript/unstable/sync';

const root = resolve(import.meta.dirname, '../..');
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const out = option('--out') ?? join(root, '.orchsim/api');
const config = resolve(option('--from') ?? join(root, 'src/tsconfig.json'));

/** SymbolFlags.Alias and NodeBuilderFlags.NoTruncation: the API exports only the numbers. */
const ALIAS = 1 << 21;
const NO_TRUNCATION = 1;

const faces = read();
const lacking = faces.flatMap(({ members }) => members.filter(({ text }) => text === ''));
const pages = faces.map((face) => [`${face.name.replaceAll('/', '-')}.md`, page(face)]);
if (out === '-') process.stdout.write(pages.map(([, text]) => text).join('\n'));
else {
  mkdirSync(out, { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(out, name), text);
  console.log(`${relative(process.cwd(), out) || '.'}: ${pages.map(([name]) => name).join(', ')}`);
}
for (const { name, file, line } of lacking)
  console.error(`${file}:${line}: ${name} is exported and has no docstring: document what it returns, units and errors`);
process.exitCode = lacking.length === 0 ? 0 : 1;

/** Returns every entry point with its exports, in their order. */
function read() {
  const api = new API({ cwd: dirname(config) });
  try {
    const snapshot = api.updateSnapshot({ openProject: config });
    const project = snapshot.getProject(config) ?? snapshot.getProjects()[0];
    const files = JSON.parse(readFileSync(config, 'utf8')).files.map((name) => resolve(dirname(config), name));
    return files.map((file) => faceOf(file, project));
  } finally {
    api.close();
  }
}

function faceOf(file, { program, checker }) {
  const source = program.getSourceFile(file);
  const module = checker.getSymbolAtLocation(source);
  const name = moduleName(basename(file, '.ts'));
  // An entry point without exports still gets a page with its head comment.
  const symbols = module === undefined ? [] : checker.getExportsOfModule(module);
  const members = symbols.map((symbol) => memberOf(symbol, { checker, program }));
  return { name, head: headOf(source.text), members };
}

function moduleName(face) {
  return face === 'index' ? 'orchsim' : `orchsim/${face}`;
}

/** Returns the first comment of a file. */
function headOf(text) {
  return (/^\/\*\*(.*?)\*\//s.exec(text)?.[1] ?? '').replace(/^ ?\* ?/gm, '').trim();
}

function memberOf(exported, { checker, program }) {
  const symbol = exported.flags & ALIAS ? checker.getAliasedSymbol(exported) : exported;
  const handle = symbol.declarations[0];
  const node = handle.resolve();
  const source = program.getSourceFile(handle.path);
  const start = node.getStart(source);
  // `export * as name`: a module, described by its head comment and its exported names.
  if (node === source) {
    const names = checker.getExportsOfModule(symbol).map((each) => each.name);
    const declaration = `namespace ${exported.name} { ${names.join(', ')} }`;
    return { name: exported.name, text: headOf(source.text), declaration, file: relative(root, source.fileName), line: 1 };
  }
  const text = [symbol.getDocumentationComment(checker), ...symbol.getJsDocTags(checker).map(tagText)]
    .filter((each) => each !== '')
    .join('\n\n');
  return {
    name: exported.name,
    text,
    declaration: declarationOf(exported.name, symbol, node, source, start, checker),
    file: relative(root, source.fileName),
    line: source.text.slice(0, start).split('\n').length,
  };
}

function tagText({ name, text }) {
  return `*${name}* ${typeof text === 'string' ? text : (text ?? []).map((part) => part.text).join('')}`.trim();
}

/** Returns the source of a type with the comments of its members; of a value only its type. */
function declarationOf(name, symbol, node, source, start, checker) {
  const written = source.text.slice(start, node.end).replace(/^(?:export |declare )+/, '');
  if (/^(?:interface|type|abstract class|class|enum) /.test(written)) return written.replace(/;?$/, written.endsWith('}') ? '' : ';');
  const type = checker.getTypeOfSymbol(symbol);
  return `${/^function\b/.test(written) ? 'function' : 'const'} ${name}: ${type === undefined ? 'unknown' : checker.typeToString(type, undefined, NO_TRUNCATION)};`;
}

function page({ name, head, members }) {
  const order = [...members].sort((a, b) => (a.name < b.name ? -1 : 1));
  const reported = order.map(({ name: member, text, declaration, file, line }) =>
    [`## ${member}`, '', text, '', '```ts', declaration, '```', '', `${file}:${line}`, ''].join('\n'),
  );
  return [`# ${name}`, '', head, '', order.map((each) => `[${each.name}](#${each.name.toLowerCase()})`).join(' · '), '', ...reported].join(
    '\n',
  );
}
