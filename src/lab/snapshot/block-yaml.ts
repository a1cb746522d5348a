/**
 * Reads the YAML that `kubectl -o yaml` and kwok write: block mappings and lists, plain and quoted scalars, literal blocks. It is ten times as
 * fast as a reader of all YAML, which a dump of ten thousand pods needs. It declines anything else, which the other reader then reads or
 * refuses; so it never has an opinion of its own.
 */
import { resolvePlain } from '../../schema/yaml/index.ts';

/** A document, with the line of its beginning and those of the items of its list `items`, from 1. */
interface BlockDocument {
  readonly value: unknown;
  readonly line: number;
  readonly items: readonly number[];
}

/** Thrown and caught here: the text has something else. */
class Declined extends Error {}

const DEPTH = 100;
/** Characters with which no plain scalar of such a text begins. */
const OTHER_BEGINNINGS = /^[&*!%@`>,\]}#|{[]/;
/** Whitespace that is trimmed here, and is none in YAML; what YAML does not allow. */
const FOREIGN = /[^\S \n]|[^\n\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

interface Lines {
  readonly text: string;
  /** Of each line: the offset of its content, its end, the width of its indent; -1: nothing but a comment or blanks. */
  readonly starts: number[];
  readonly ends: number[];
  readonly indents: number[];
  at: number;
  /** The lines of the items of the list `items` of this document. */
  items: number[];
}

/** Returns the documents of a text; undefined: it has something that such a text does not have. */
export function readBlockYaml(text: string): readonly BlockDocument[] | undefined {
  if (FOREIGN.test(text)) return undefined;
  const lines = linesOf(text);
  const documents: BlockDocument[] = [];
  try {
    for (skipBlank(lines); lines.at < lines.starts.length; skipBlank(lines)) {
      if (isSeparator(lines)) {
        if (contentOf(lines) !== '---') return undefined;
        lines.at++;
        continue;
      }
      const line = lines.at + 1;
      lines.items = [];
      const value = node(lines, 0, 0);
      documents.push({ value, line, items: lines.items });
      skipBlank(lines);
      if (lines.at < lines.starts.length && !isSeparator(lines)) return undefined;
    }
  } catch (error) {
    if (error instanceof Declined) return undefined;
    throw error;
  }
  return documents;
}

function linesOf(text: string): Lines {
  const lines: Lines = { text, starts: [], ends: [], indents: [], at: 0, items: [] };
  for (let from = 0; from < text.length;) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    let start = from;
    while (text.charCodeAt(start) === 32) start++;
    lines.starts.push(start);
    lines.ends.push(end);
    lines.indents.push(start === end || text.charCodeAt(start) === 35 ? -1 : start - from);
    from = end + 1;
  }
  return lines;
}

const contentOf = ({ text, starts, ends, at }: Lines): string => text.slice(starts[at], ends[at]).trimEnd();

/** Behind the last line -1, as of a blank one. */
const indentOf = ({ indents, at }: Lines): number => indents[at] ?? -1;

function skipBlank(lines: Lines): void {
  while (lines.at < lines.starts.length && indentOf(lines) < 0) lines.at++;
}

const isSeparator = (lines: Lines): boolean => indentOf(lines) === 0 && /^---(?: |$)/.test(contentOf(lines));

const isItem = (content: string): boolean => content === '-' || content.startsWith('- ');

/** A mapping, a list or a scalar that begins at the present line, which has this indent. */
function node(lines: Lines, indent: number, depth: number): unknown {
  if (depth > DEPTH) throw new Declined();
  const content = contentOf(lines);
  if (isItem(content)) return list(lines, indent, depth, false);
  if (keyEnd(content) !== undefined) return mapping(lines, indent, depth);
  if (depth === 0) throw new Declined();
  lines.at++;
  return scalar(lines, content, indent - 1);
}

function list(lines: Lines, indent: number, depth: number, isItems: boolean): unknown[] {
  const items: unknown[] = [];
  for (skipBlank(lines); indentOf(lines) === indent; skipBlank(lines)) {
    const content = contentOf(lines);
    if (!isItem(content)) break;
    if (isItems) lines.items.push(lines.at + 1);
    if (content === '-') {
      lines.at++;
      items.push(nested(lines, indent, depth, indent + 1));
      continue;
    }
    // The rest of the line is a node of its own, further in.
    let width = 2;
    while (content.charCodeAt(width) === 32) width++;
    lines.starts[lines.at] = (lines.starts[lines.at] ?? 0) + width;
    lines.indents[lines.at] = indent + width;
    items.push(node(lines, indent + width, depth + 1));
  }
  return items;
}

function mapping(lines: Lines, indent: number, depth: number): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (skipBlank(lines); indentOf(lines) === indent; skipBlank(lines)) {
    const content = contentOf(lines);
    if (isItem(content) || isSeparator(lines)) break;
    const end = keyEnd(content);
    if (end === undefined) throw new Declined();
    const key = keyOf(content.slice(0, end).trimEnd());
    const rest = content.slice(end + 1).trimStart();
    lines.at++;
    members[key] = rest === '' ? nested(lines, indent, depth, indent, depth === 0 && key === 'items') : scalar(lines, rest, indent);
  }
  return members;
}

/** The value below a key or a dash; `listFrom`: the least indent of a list, which may stand at that of its key. */
function nested(lines: Lines, indent: number, depth: number, listFrom: number, isItems = false): unknown {
  skipBlank(lines);
  if (isSeparator(lines)) return null;
  const inner = indentOf(lines);
  if (isItem(contentOf(lines)) && inner >= listFrom) return list(lines, inner, depth + 1, isItems);
  return inner > indent ? node(lines, inner, depth + 1) : null;
}

/** The offset of the colon after the key of a line; undefined: it has none. */
function keyEnd(content: string): number | undefined {
  const quote = content[0];
  if (quote === '"' || quote === "'") {
    const end = endOfQuoted(content, quote);
    return end !== undefined && content[end] === ':' && (content[end + 1] ?? ' ') === ' ' ? end : undefined;
  }
  const at = content.search(/:(?: |$)/);
  return at <= 0 ? undefined : at;
}

function keyOf(text: string): string {
  const quote = text[0];
  if (quote === '"' || quote === "'") return unquoted([text]);
  if (OTHER_BEGINNINGS.test(text) || /^\?(?: |$)/.test(text) || text === '__proto__' || text === '<<' || text.includes(' #'))
    throw new Declined();
  const value = plain(text);
  if (value === null) throw new Declined();
  return String(value);
}

/** A plain scalar. JSON has no infinite numbers. */
function plain(text: string): ReturnType<typeof resolvePlain> {
  const value = resolvePlain(text);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Declined();
  return value;
}

/** A scalar that begins with this text; `indent`: of what holds it, below which it goes on. */
function scalar(lines: Lines, begins: string, indent: number): unknown {
  if (begins === '{}') return {};
  if (begins === '[]') return [];
  if (begins[0] === '|') return literal(lines, begins, indent);
  if (begins[0] === '"' || begins[0] === "'") return quoted(lines, begins, indent);
  if (OTHER_BEGINNINGS.test(begins) || begins.includes(' #') || /:(?: |$)/.test(begins) || /^[-?](?: |$)/.test(begins))
    throw new Declined();
  const parts = [begins];
  while (indentOf(lines) > indent) {
    const content = contentOf(lines);
    if (content.includes(' #') || /:(?: |$)/.test(content)) throw new Declined();
    parts.push(content);
    lines.at++;
  }
  // A blank line or a comment within a scalar has a meaning.
  return parts.length === 1 ? plain(begins) : parts.join(' ');
}

function quoted(lines: Lines, begins: string, indent: number): string {
  const quote = begins[0] ?? '';
  const parts = [begins];
  let end = endOfQuoted(begins, quote);
  while (end === undefined && lines.at < lines.starts.length) {
    const content = contentOf(lines);
    // An empty line is a line break; one that looks like a comment, or is further out, is for the other reader.
    if (content !== '' && indentOf(lines) <= indent) throw new Declined();
    lines.at++;
    parts.push(content);
    end = endOfQuoted(parts.join('\n'), quote);
    if (parts.length > 10_000) throw new Declined();
  }
  if (end !== parts.join('\n').length) throw new Declined();
  return unquoted(parts);
}

/** The offset after the closing quote of a text that begins with a quote; undefined: it does not end there. */
function endOfQuoted(text: string, quote: string): number | undefined {
  for (let at = 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text[at] === quote) {
      if (quote !== "'" || text[at + 1] !== "'") return at + 1;
      at++;
    }
  }
  return undefined;
}

/** Lines of a quoted scalar are folded: one break is a blank, each further one a line break. */
function unquoted(parts: readonly string[]): string {
  const quote = parts[0]?.[0];
  let folded = parts[0] ?? '';
  let breaks = 0;
  for (const part of parts.slice(1)) {
    if (part === '') {
      breaks++;
      continue;
    }
    if (quote === '"' && /[^\\](?:\\\\)*\\$/.test(folded) && breaks === 0) folded = folded.slice(0, -1) + part;
    else folded += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + part;
    breaks = 0;
  }
  const inner = folded.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : escaped(inner);
}

const ESCAPES: Readonly<Record<string, string>> = {
  0: '\0',
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\u001b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\u0085',
  _: '\u00a0',
  L: '\u2028',
  P: '\u2029',
};

const escaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([^xuU])|)/g,
    (_, x?: string, u?: string, long?: string, one?: string) => {
      const code = x ?? u ?? long;
      const number = Number.parseInt(code ?? '0', 16);
      const meant = code === undefined ? ESCAPES[one ?? ''] : number > 0x10ffff ? undefined : String.fromCodePoint(number);
      if (meant === undefined) throw new Declined();
      return meant;
    },
  );

/** `|`, `|-`, `|+`, with the indent stated or that of the first line. */
function literal(lines: Lines, begins: string, indent: number): string {
  const [whole, before = '', chomp = '', after = ''] = /^\|([1-9]?)([-+]?)([1-9]?)$/.exec(begins) ?? [];
  if (whole === undefined || (before !== '' && after !== '')) throw new Declined();
  const stated = Number(before + after);
  const { text, starts, ends } = lines;
  const rows: string[] = [];
  let leading = 0;
  let width = stated === 0 ? undefined : Math.max(indent, 0) + stated;
  while (lines.at < starts.length) {
    const begin = (ends[lines.at - 1] ?? 0) + 1;
    const end = ends[lines.at] ?? begin;
    const blanks = (starts[lines.at] ?? begin) - begin;
    const isEmpty = begin + blanks >= end;
    if (!isEmpty && width === undefined) {
      // Blank lines that are further in than the first text need a stated indent.
      if (leading > blanks) throw new Declined();
      width = blanks;
    }
    leading = Math.max(leading, blanks);
    if (!isEmpty && (blanks < (width ?? 0) || blanks <= indent)) break;
    rows.push(text.slice(Math.min(begin + (width ?? blanks), end), end));
    lines.at++;
  }
  const last = rows.findLastIndex((row) => row !== '') + 1;
  const kept = rows.slice(0, last).join('\n');
  if (chomp === '-') return kept;
  return chomp === '+' ? `${rows.join('\n')}\n` : last === 0 ? '' : `${kept}\n`;
}
