/** Adds an entry to the settings of VS Code (JSON with comments). Other settings, comments and layout stay unchanged. */
import { applyEdits, modify, type Node, type ParseError, parseTree, findNodeAtLocation, printParseErrorCode } from 'jsonc-parser';
import { BadInput } from '../exit.ts';

/** The setting of the YAML extension that maps schemas to files. */
const SETTING = 'yaml.schemas';

/**
 * Returns the text with the entry, or the same text if the schema is configured already.
 * @throws BadInput for settings that cannot be merged with the entry
 */
export function withSchema(text: string, schema: string, files: readonly string[], shown: string): string {
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
/** The indentation of the first indented line. */
const indentOf = (text: string): number => /^( +)\S/m.exec(text)?.[1]?.length ?? DEFAULT_INDENT;
