/** Installs the schema of scenario files for editors: the schema file, a setting for VS Code, and a first line for other editors. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BadInput } from './exit.ts';
import { onSystem, readText, writeWhole } from './files.ts';
import { type Io, jsonText } from './io.ts';
import { applyEdits, modify, type Node, type ParseError, parseTree, findNodeAtLocation, printParseErrorCode } from 'jsonc-parser';

/** The path of the schema file in a project. */
export const SCHEMA_FILE = '.orchsim/scenario.schema.json';
const SETTINGS_FILE = '.vscode/settings.json';
/** Files that editors treat as scenarios. */
const SCENARIO_FILES = ['scenarios/**/*.yaml', 'scenarios/**/*.yml', '*.scenario.yaml'] as const;

/** The first line of a scenario file, for editors with the YAML language server; `schema` is relative to that file. */
export const modeline = (schema: string): string => `# yaml-language-server: $schema=${schema}`;

/** Writes both files. Throws BadInput before it has written either. `force`: a schema file with other contents is overwritten. */
export function installSchema(folder: string, schema: object, force: boolean, io: Io): void {
  const planned = [plannedSchema(folder, schema, force, io), plannedSettings(folder, io)];
  for (const { full, shown } of planned) expectWritable(full, shown);
  for (const { shown, text, was } of planned) {
    if (text === was) {
      io.out(`  ${io.palette.dim('=')} ${shown} ${io.palette.dim('is up to date')}\n`);
      continue;
    }
    writeWhole({ option: '--install', path: shown, cwd: io.cwd }, text);
    io.out(`  ${io.palette.good(was === undefined ? '+' : '~')} ${shown}\n`);
  }
  io.out(
    `\nVS Code (with the YAML extension, redhat.vscode-yaml) checks and completes ${SCENARIO_FILES.join(', ')}.\n` +
      `Other files, and other editors with the YAML language server, by a first line (the path is relative to the file):\n\n` +
      `    ${modeline(`./${SCHEMA_FILE}`)}\n`,
  );
}

/** `was`: the current contents; undefined: the file does not exist. */
function plannedSchema(folder: string, schema: object, force: boolean, io: Io) {
  const shown = join(folder, SCHEMA_FILE);
  const full = resolve(io.cwd, shown);
  const [text, was] = [jsonText(schema), existing(full, shown)];
  if (was !== undefined && was !== text && !force)
    throw new BadInput(`${shown}: it exists and has other contents (an older schema, perhaps); --force overwrites it`);
  return { full, shown, text, was };
}

function plannedSettings(folder: string, io: Io) {
  const shown = join(folder, SETTINGS_FILE);
  const full = resolve(io.cwd, shown);
  const was = existing(full, shown);
  return { full, shown, text: withSchema(was ?? '', `./${SCHEMA_FILE}`, SCENARIO_FILES, shown), was };
}

function existing(full: string, shown: string): string | undefined {
  const stat = statSync(full, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw new BadInput(`${shown}: it is not a file; --to puts the schema into another folder`);
  return readText(full, shown);
}

/** Checks the file, or its nearest existing parent folder. */
function expectWritable(full: string, shown: string): void {
  onSystem(`${shown}: cannot be written`, () => {
    const stat = statSync(full, { throwIfNoEntry: false });
    if (stat === undefined && dirname(full) !== full) expectWritable(dirname(full), shown);
    else accessSync(full, constants.W_OK);
  });
}

const SETTING = 'yaml.schemas';

/** Returns the text with the entry, or itself if the schema is configured. Throws BadInput for settings that cannot be merged. */
function withSchema(text: string, schema: string, files: readonly string[], shown: string): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const byHand = `correct it, or add this setting there: "${SETTING}": ${JSON.stringify({ [schema]: files })}`;
  const [first] = errors;
  if (first !== undefined)
    throw new BadInput(
      `${shown}:${placeOf(source, first.offset)}: expected JSON with comments (${printParseErrorCode(first.error)}); ${byHand}`,
    );
  expectMapping(root, 'the settings', source, shown, byHand);
  const setting = root === undefined ? undefined : findNodeAtLocation(root, [SETTING]);
  if (setting !== undefined) expectMapping(setting, SETTING, source, shown, byHand);
  const named = setting?.children?.some(({ children }) => sameFile(children?.[0]?.value, schema)) === true;
  if (named) return text;
  const formattingOptions = { insertSpaces: !/^\t/m.test(source), tabSize: indentOf(source), eol: source.includes('\r\n') ? '\r\n' : '\n' };
  return applyEdits(source, modify(source, [SETTING, schema], [...files], { formattingOptions }));
}

function expectMapping(node: Node | undefined, what: string, source: string, shown: string, byHand: string): void {
  if (node?.type === 'object') return;
  throw new BadInput(
    `${shown}:${placeOf(source, node?.offset ?? 0)}: expected ${what} to be a mapping, found ${node?.type ?? 'nothing'}; ${byHand}`,
  );
}

const sameFile = (key: unknown, schema: string): boolean =>
  typeof key === 'string' && key.replace(/^\.\//, '') === schema.replace(/^\.\//, '');

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

const DEFAULT_INDENT = 2;
const indentOf = (text: string): number => /^( +)\S/m.exec(text)?.[1]?.length ?? DEFAULT_INDENT;
