/** Finds the context of a cursor in a text that may not be valid YAML: the keys that lead there, and the typed word. */
import { present } from '../../schema/values/index.ts';

export interface CursorContext {
  /** The enclosing keys, outermost first, without list indexes. */
  readonly path: readonly string[];
  /** The key at or before the cursor; absent: none has been typed. */
  readonly key?: string;
  /** The part of a key that is typed before the cursor. */
  readonly typed: string;
  /** The part of a value that is typed; absent: the cursor is at a key. */
  readonly value?: string;
  /** The column, from 1, at which the typed word begins. */
  readonly from: number;
  readonly siblings: readonly string[];
  /** The kind of the document, and of the enclosing object. */
  readonly kind?: string;
  readonly objectKind?: string;
}

interface Line {
  readonly text: string;
  /** The columns, from 0, of the first dash and of the key. */
  readonly dash: number;
  readonly column: number;
  readonly key: string;
  /** The text after the key; undefined: there is no key. */
  readonly rest: string | undefined;
}

const SHAPE = /^( *)((?:- +|-$)*)(?:"?([\w./-]+)"?:(?:\s(.*)|$))?/;

function lineOf(text: string): Line {
  const [, indent = '', dashes = '', key = '', rest = ''] = SHAPE.exec(text) ?? [];
  return {
    text,
    dash: dashes === '' ? -1 : indent.length,
    column: indent.length + dashes.length,
    key,
    rest: key === '' ? undefined : rest,
  };
}

const isQuiet = ({ text }: Line): boolean => /^\s*(?:#|$)/.test(text);

/** Returns the context; undefined: in a text or a comment, where nothing is completed. */
export function cursorContextAt(text: string, line: number, col: number): CursorContext | undefined {
  const all = text.split('\n');
  const first = all.slice(0, line).findLastIndex((each) => each.startsWith('---')) + 1;
  const end = all.findIndex((each, at) => at >= line && each.startsWith('---'));
  const lines = all.slice(first, end < 0 ? undefined : end).map(lineOf);
  const at = line - 1 - first;
  const here = lines[at];
  const before = (here?.text ?? '').slice(0, col - 1);
  if (here === undefined || /(?:^|\s)#/.test(before)) return undefined;
  const column = here.rest === undefined ? before.length - (/[\w./-]*$/.exec(before)?.[0].length ?? 0) : here.column;
  const above = pathOf(lines, at, here.dash >= 0 ? here.dash + 1 : column);
  if (above.prose) return undefined;
  const kind = /^kind: *"?(\w+)/m.exec(lines.map((each) => each.text).join('\n'))?.[1];
  const objectKind = kindAround(lines, at, col) ?? kind;
  const base = present({ kind, objectKind });
  const flow = flowAt(here, before);
  if (flow !== undefined) return { ...base, ...flow, path: [...above.path, ...(here.key === '' ? [] : [here.key]), ...flow.path] };
  const siblings = siblingsOf(lines, at, column);
  if (here.rest === undefined || before.length <= here.column + here.key.length) {
    const typed = before.slice(column);
    return { ...base, path: above.path, typed, from: column + 1, siblings, ...(here.key === '' ? {} : { key: here.key }) };
  }
  const value = /[^\s:]*$/.exec(before)?.[0] ?? '';
  return { ...base, path: above.path, key: here.key, typed: '', value, from: before.length - value.length + 1, siblings: [] };
}

interface Above {
  readonly path: readonly string[];
  readonly prose: boolean;
}

function pathOf(lines: readonly Line[], from: number, within: number): Above {
  const path: string[] = [];
  let limit = within;
  for (let at = from - 1; at >= 0 && limit > 0; at--) {
    const line = lines[at];
    if (line === undefined || isQuiet(line)) continue;
    if (line.rest !== undefined && line.column < limit) {
      if (/^[|>][-+0-9]*$/.test(line.rest.trim())) return { path: [], prose: true };
      path.unshift(line.key);
      limit = line.column;
    }
    // The first member of an item follows a dash; the key of its list is on an earlier line.
    if (line.dash >= 0 && line.dash < limit && line.column <= Math.max(limit, line.dash + 2)) limit = line.dash + 1;
  }
  return { path, prose: false };
}

const HOLDS_OBJECTS = /^(?:apply|create|replace|match|manifests)$/;

/** Returns the kind of the enclosing object: of the item of a list that the cursor is in. */
function kindAround(lines: readonly Line[], here: number, col: number): string | undefined {
  for (let from = here; from >= 0; from--) {
    const holder = lines[from];
    if (holder?.rest === undefined || !HOLDS_OBJECTS.test(holder.key)) continue;
    const within = lines.findIndex((line, at) => at > from && !isQuiet(line) && isOutside(line, holder));
    const end = within < 0 ? lines.length : within;
    if (end <= here) continue;
    const kind = /^\s*[[{]/.test(holder.rest)
      ? kindInBraces(lines.slice(from, end), here - from, col)
      : kindInBlock(lines, { from, here, end, col });
    if (kind !== undefined) return kind;
  }
  return undefined;
}

interface Block {
  /** The line of the key that holds the objects; `end` is the first after them. */
  readonly from: number;
  readonly here: number;
  readonly end: number;
  readonly col: number;
}

/** `kind` among the members of the object itself, which begin at its column. */
function kindInBlock(lines: readonly Line[], { from, here, end, col }: Block): string | undefined {
  const first = lines.findIndex((line, at) => at > from && at < end && !isQuiet(line));
  const dash = lines[first]?.dash ?? -1;
  if (first < 0 || first > here) return undefined;
  const begins = (at: number): boolean => dash >= 0 && lines[at]?.dash === dash;
  let start = first;
  for (let at = here; at > first && start === first; at--) if (begins(at)) start = at;
  let stop = here + 1;
  while (stop < end && !begins(stop)) stop++;
  const object = lines[start];
  if (object?.rest === undefined) return kindInBraces(lines.slice(start, stop), here - start, col);
  const own = lines.slice(start, stop).find(({ key, column, rest }) => key === 'kind' && column === object.column && rest !== undefined);
  return /^"?(\w+)/.exec(own?.rest ?? '')?.[1];
}

/** `kind` among the members of the outermost `{ … }` around the cursor. */
function kindInBraces(lines: readonly Line[], here: number, col: number): string | undefined {
  const text = lines.map((line) => line.text).join('\n');
  const cursor = lines.slice(0, here).reduce((sum, line) => sum + line.text.length + 1, 0) + col - 1;
  let depth = 0;
  let kind: string | undefined;
  for (const { 0: token, index, 1: named } of text.matchAll(/"[^"]*"?|'[^']*'?|[{}]|\bkind: *"?(\w+)/g)) {
    if (token === '{' && depth++ === 0) {
      if (index >= cursor) return undefined;
      kind = undefined;
    } else if (token === '}' && --depth === 0 && index >= cursor) return kind;
    else if (named !== undefined && depth === 1) kind = named;
  }
  return depth > 0 ? kind : undefined;
}

const isOutside = ({ dash, column }: Line, holder: Line): boolean => (dash >= 0 ? dash < holder.column : column <= holder.column);

function siblingsOf(lines: readonly Line[], at: number, column: number): readonly string[] {
  const found: string[] = [];
  // Above the first member of an item are those of the item before it.
  for (const by of (lines[at]?.dash ?? -1) < 0 ? [-1, 1] : [1])
    for (let each = at + by; each >= 0 && each < lines.length; each += by) {
      const line = lines[each];
      if (line === undefined || isQuiet(line) || line.column > column) continue;
      if (line.column < column || (by > 0 && line.dash >= 0)) break;
      if (line.rest !== undefined) found.push(line.key);
      if (line.dash >= 0) break;
    }
  return found;
}

/** Returns the context inside a `{ … }` on the line. */
function flowAt({ column, key, text }: Line, before: string): Omit<CursorContext, 'kind' | 'objectKind'> | undefined {
  const open: { key: string; keys: string[] }[] = [];
  /** The keys of the lists around, for their further items. */
  const lists: string[] = [];
  const from = key === '' ? column : column + key.length + 1;
  let last = '';
  const rest = before.slice(from);
  for (const { 0: token, index } of rest.matchAll(/"[^"]*"?|'[^']*'?|[{}[\],]|[\w./-]+(?=:\s)|[^\s{}[\],]+/g)) {
    if (token === '[') lists.push(last);
    else if (token === ']') lists.pop();
    else if (token === '{') open.push({ key: last === '' ? (lists.at(-1) ?? '') : last, keys: [] });
    else if (token === '}') open.pop();
    if ('{},'.includes(token)) last = '';
    else if (rest[index + token.length] === ':') {
      last = token;
      open.at(-1)?.keys.push(token);
    }
  }
  if (open.length === 0) return undefined;
  const typed = /[\w./-]*$/.exec(before)?.[0] ?? '';
  const keys = open.at(-1)?.keys ?? [];
  const path = open.map((each) => each.key).filter((each) => each !== '');
  const named = /([\w./-]+): +[^\s,{}]*$/.exec(before)?.[1];
  const begins = before.length - typed.length + 1;
  if (named !== undefined) return { path, key: named, typed: '', value: typed, from: begins, siblings: [] };
  const end = /^[\w./-]*(?=:)/.exec(text.slice(before.length))?.[0];
  const under = end === undefined ? {} : { key: `${typed}${end}` };
  return { path, typed, from: begins, siblings: keys.filter((each) => each !== typed), ...under };
}
