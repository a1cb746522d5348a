/** The settings of VS Code (JSON with comments), with one entry more: whatever else they say, and how it is laid out, stays. */
import { applyEdits, modify, type Node, type ParseError, parseTree, findNodeAtLocation, printParseErrorCode } from 'jsonc-parser';
import { BadInput } from '../exit.ts';

/** The setting of the YAML extension that says which schema is for which files. */
const SETTING = 'yaml.schemas';

/**
 * The text with the entry; the same text where the schema is named already, for whatever files. Throws BadInput for what cannot be merged
 * with.
 */
export function withSchema(text: string, schema: string, files: readonly string[], shown: string): string {
  const source = text.trim() === '' ? '{}\n' : text;
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const byHand = `mend it, or say there yourself: "${SETTING}": ${JSON.stringify({ [schema]: files })}`;
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
/** As the first line that is further in. */
const indentOf = (text: string): number => /^( +)\S/m.exec(text)?.[1]?.length ?? DEFAULT_INDENT;
