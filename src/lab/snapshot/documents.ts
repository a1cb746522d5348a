/**
 * The objects of the texts of a dump, each with its place: JSON and YAML, several documents in a file, lists with their items. JSON, and the
 * YAML that `kubectl` writes, are read at once, because a dump of a large cluster has a hundred megabytes; any other YAML by the reader of
 * scenario files, which has their limits.
 */
import { isMapping, jsonIn } from '../../schema/values/index.ts';
import { type Position, positionOf, type Problem, readYaml, showValue, type Located } from '../../schema/yaml/index.ts';
import { linesOf, offsetsIn } from './json-places.ts';
import { readBlockYaml } from './block-yaml.ts';

/** A text of a dump. */
export interface SnapshotFile {
  readonly file: string;
  readonly text: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** Something in a dump that may be an object. */
export interface Found {
  readonly value: Members;
  /** Where it begins. */
  at(): Position;
}

/** A document, or a part of one. */
interface Document {
  readonly value: unknown;
  /** The place of the item of its list `items`, or of the document itself. */
  at(item?: number): Position;
}

/** Returns all objects of the texts in their order, and what is wrong with the texts. */
export function documentsIn(
  files: readonly SnapshotFile[],
  lenient = false,
): { readonly found: readonly Found[]; readonly problems: readonly Problem[] } {
  const found: Found[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    const read = file.text.trimStart().startsWith('{') ? readJson(file, lenient) : readAnyYaml(file);
    problems.push(...read.problems);
    for (const document of read.documents) itemsOf(document, found, problems);
  }
  return { found, problems };
}

/** Adds a document, or the items of a list: these may leave kind and version to their list. */
function itemsOf({ value, at }: Document, found: Found[], problems: Problem[]): void {
  if (!isMapping(value)) {
    if (value !== null && value !== undefined)
      problems.push({ ...at(), path: '', expected: 'an object with apiVersion and kind', found: showValue(value) });
    return;
  }
  const { kind, items, apiVersion } = value;
  // An empty list of Go is null.
  if (typeof kind === 'string' && kind.endsWith('List') && items === null) return;
  if (kind === undefined && Array.isArray(items)) {
    // kubectl writes the kind of a list behind its items: what is cut there is still YAML, and its last item may be half of one.
    problems.push({
      ...at(),
      path: 'kind',
      expected: 'kind: List behind the items of the list',
      found: 'the end of the file (is the dump cut?)',
    });
    itemsOf({ value: { apiVersion, kind: 'List', items: items.slice(0, -1) }, at }, found, problems);
    return;
  }
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) {
    found.push({ value, at: () => at() });
    return;
  }
  const of = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
  for (const [index, item] of (items as readonly unknown[]).entries()) {
    if (isMapping(item)) found.push({ value: { ...of, ...item }, at: () => at(index) });
    else problems.push({ ...at(index), path: `items[${index}]`, expected: 'an object', found: showValue(item) });
  }
}

interface Read {
  readonly documents: readonly Document[];
  readonly problems: readonly Problem[];
}

function readJson({ file, text }: SnapshotFile, lenient: boolean): Read {
  const lineAt = linesOf(text);
  const position = (offset: number): Position => ({ file, ...lineAt(offset) });
  const value = jsonIn(text);
  if (value === undefined) return readJsonStream(withoutLogs(text), position, lenient);
  const start = text.indexOf('{');
  // Found again once, when the first message needs it.
  let items: readonly number[] | undefined;
  const itemAt = (item: number): number => (items ??= offsetsIn(text, start).items)[item] ?? start;
  return { documents: [{ value, at: (item) => position(item === undefined ? start : itemAt(item)) }], problems: [] };
}

/** The logs that `kubectl cluster-info dump` prints between objects may be JSON themselves: blanks take their place. */
const withoutLogs = (text: string): string =>
  text.replaceAll(/^==== START logs [^]*?^==== END logs .*$/gm, (logs) => logs.replaceAll(/[^\n]/g, ' '));

/** One JSON value after the other, as `kubectl cluster-info dump` and `kubectl get -w -o json` write them; logs between them are left out. */
function readJsonStream(text: string, position: (offset: number) => Position, lenient: boolean): Read {
  const documents: Document[] = [];
  const problems: Problem[] = [];
  let from = text.indexOf('{');
  while (from >= 0) {
    const start = from;
    const { end, items } = offsetsIn(text, start);
    const value = end === undefined ? undefined : jsonIn(text.slice(start, end));
    if (value === undefined) {
      problems.push({
        ...position(end === undefined ? lastMark(text) : start),
        path: '',
        expected: end === undefined ? `the end of the JSON value that begins at line ${position(start).line}` : 'JSON',
        found: end === undefined ? 'the end of the file (is the dump cut?)' : 'something else',
      });
    } else documents.push({ value, at: (item) => position(item === undefined ? start : (items[item] ?? start)) });
    if (end === undefined) {
      if (lenient) documents.push(...wholeItems(text, items, position));
      break;
    }
    // A value begins its line: what is in braces within a log line is none.
    const next = /^\{/m.exec(text.slice(end));
    from = next === null ? -1 : end + next.index;
  }
  return { documents, problems };
}

/** The items of a list that is cut, but the last: a lenient reader takes them. Items of a list without kinds of their own say nothing. */
const wholeItems = (text: string, items: readonly number[], position: (offset: number) => Position): readonly Document[] =>
  items.slice(0, -1).flatMap((start, at) => {
    const item = text.slice(start, items[at + 1]).trimEnd();
    const value = jsonIn(item.replace(/,$/, ''));
    return isMapping(value) && typeof value['kind'] === 'string' ? [{ value, at: () => position(start) }] : [];
  });

const lastMark = (text: string): number => Math.max(0, text.trimEnd().length - 1);

function readAnyYaml({ file, text }: SnapshotFile): Read {
  const quick = readBlockYaml(text);
  if (quick !== undefined)
    return {
      documents: quick.map(({ value, line, items }) => ({
        value,
        at: (item) => ({ file, line: item === undefined ? line : (items[item] ?? line), col: 1 }),
      })),
      problems: [],
    };
  const { documents, problems } = readYaml(text, file, { repeatedKeys: 'last' });
  const cut = problems.length === 0 ? undefined : readCutYaml({ file, text }, problems);
  if (cut !== undefined) return cut;
  return { documents: documents.map((node) => ({ value: node.plain, at: (item) => placeOf(node, item) })), problems };
}

/** The items of a list of `kubectl`, and documents. */
const ITEM = /^(?: {0,2}- |---)/gm;

/** A text that ends within a line is no YAML; what stands before its last item is. Undefined: it is not cut. */
function readCutYaml({ file, text }: SnapshotFile, problems: readonly Problem[]): Read | undefined {
  const last = text.trimEnd().split('\n').length;
  if (!problems.some(({ line }) => line >= last)) return undefined;
  const starts = [...text.matchAll(ITEM)];
  const start = starts.at(-1)?.index;
  if (start === undefined) return undefined;
  const whole = text.slice(0, start);
  const isList = /^items:/m.test(whole) && !/^kind:/m.test(whole);
  const { documents, problems: others } = readAnyYaml({ file, text: isList ? `${whole}kind: List\n` : whole });
  const cut: Problem = {
    file,
    line: last,
    col: 1,
    path: '',
    expected: `the end of the object that begins at line ${whole.split('\n').length}`,
    found: 'the end of the file (is the dump cut?)',
  };
  return { documents, problems: [...others, cut] };
}

function placeOf(node: Located, item: number | undefined): Position {
  const items = node.shape === 'map' ? node.entries.get('items')?.value : undefined;
  const one = item === undefined || items?.shape !== 'list' ? undefined : items.items[item];
  return positionOf(one ?? node);
}
