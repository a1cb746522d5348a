/**
 * Problems of a text that is not well-formed YAML, as the mistakes that its writer made: what was expected there, and the remedy. After a
 * first syntax error the parser reports many more, so only the first is reported. Where an expression without quotes caused it, the message
 * says that it needs quotes.
 */
import type { CST } from 'yaml';

interface YamlSyntaxError {
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly suggestion?: string;
}

const lineStart = (text: string, offset: number): number => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);

const lineFrom = (text: string, start: number): string => {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
};

export const needsQuotes = (whole: string): Omit<YamlSyntaxError, 'offset'> => ({
  expected: 'quotes around a text with brackets, braces, commas or colons',
  found: 'none',
  suggestion: inQuotes(whole),
});

const inQuotes = (text: string): string => (/["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`);

const NEXT_KEY = /^,\s*[\w.-]+:(?:\s|$)/;

/** The intended value on one line: it ends before an unmatched closing bracket, the next key or a comment. */
export function wholeValue(text: string, start: number): string {
  const line = lineFrom(text, start);
  let depth = 0;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    const ends = depth < 0 || (quote === '' && ((depth === 0 && NEXT_KEY.test(line.slice(at))) || /^\s#/.test(line.slice(at, at + 2))));
    if (ends) return line.slice(0, at).trimEnd().replace(/,$/, '');
  }
  return line.trimEnd();
}

interface SyntaxFault {
  readonly code: string;
  readonly offset: number;
  readonly message: string;
}

type Reading = (text: string, fault: SyntaxFault, tokens: readonly CST.Token[]) => YamlSyntaxError | undefined;

const READINGS: Readonly<Record<string, Reading>> = {
  TAB_AS_INDENT: (_, { offset }) => ({ offset, expected: 'spaces as indentation', found: 'a tab' }),
  BAD_SCALAR_START: (text, { offset }) => quoted(text, offset, `a text that begins with ${text.charAt(offset)}`),
  BAD_DQ_ESCAPE: (text, { offset }) => ({
    offset,
    expected: 'an escape that YAML knows (\\\\ is a backslash; between single quotes nothing is escaped)',
    found: text.slice(offset, offset + 2),
  }),
  MULTILINE_IMPLICIT_KEY: keyWithoutColon,
  MISSING_CHAR: (text, fault, tokens) =>
    isUnendedQuote(fault)
      ? quoteWithoutEnd(text, fault)
      : fault.message.startsWith('Flow')
        ? unclosed(text, fault.offset, tokens)
        : /between flow/.test(fault.message)
          ? { offset: fault.offset, expected: 'a comma before it', found: 'none' }
          : /map keys/.test(fault.message)
            ? keyWithoutColon(text, fault)
            : undefined,
  BLOCK_AS_IMPLICIT_KEY: keyInValue,
  BLOCK_IN_FLOW: (text, { offset }) => {
    const [, before, key] = /^([^,:]*\S)\s+([\w.-]+|"[^"]*"):\s/.exec(lineFrom(text, offset)) ?? [];
    if (before === undefined) return quoted(text, offset, 'a text with a colon');
    return {
      offset: offset + before.length,
      expected: `a comma before ${key ?? ''}, or quotes around a text with a colon`,
      found: 'none',
      suggestion: JSON.stringify(`${before}, ${key ?? ''}:`),
    };
  },
  BAD_INDENT: (text, { offset, message }, tokens) =>
    message.startsWith('Flow') ? unclosed(text, offset, tokens) : indentation(text, offset),
  UNEXPECTED_TOKEN: (text, { offset, message }) => {
    if (message.includes('on same line with key'))
      return { offset, expected: 'the list on lines below its key', found: 'it behind the key' };
    if (message.startsWith('Unexpected ,')) return { offset, expected: 'a value before the comma', found: 'none' };
    const [, closing] = /in YAML (?:stream|document): "([\]}])"/.exec(message) ?? [];
    if (closing !== undefined)
      return { offset, expected: `no ${closing} without the ${closing === ']' ? '[' : '{'} that it closes`, found: closing };
    const isFirst = text.slice(lineStart(text, offset), offset).trim() === '';
    if (isFirst) return indentation(text, offset);
    return /^["{]/.test(text.charAt(offset)) || /^[\w.-]+["']?\s*:/.test(text.slice(offset))
      ? { offset, expected: 'a comma before it', found: 'none' }
      : undefined;
  },
};

/** The mistake behind an error of the parser; undefined where it says no more than the parser. */
const readFault: Reading = (text, fault, tokens) =>
  Object.hasOwn(READINGS, fault.code) ? READINGS[fault.code]?.(text, fault, tokens) : undefined;

function quoted(text: string, offset: number, what: string): YamlSyntaxError {
  return { offset, expected: `quotes around ${what}`, found: 'none', suggestion: inQuotes(wholeValue(text, offset)) };
}

/** Whether a text in quotes has no end: what comes behind its quote is in it. */
const isUnendedQuote = ({ message }: SyntaxFault): boolean => /closing ["']quote/.test(message);

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A line that is neither a key with its colon nor a list item. */
function keyWithoutColon(text: string, { offset }: SyntaxFault): YamlSyntaxError {
  const line = lineFrom(text, offset)
    .replace(/\s+#.*$/, '')
    .trim();
  const [, key, value] = /^([\w./-]+):(\S.*)$/.exec(line) ?? [];
  if (key !== undefined)
    return { offset, expected: 'a space after the colon', found: 'none', suggestion: JSON.stringify(`${key}: ${value ?? ''}`) };
  if (line.startsWith('- ')) return { offset, expected: 'a key and a colon, as beside it', found: 'a list item' };
  const before = text.slice(0, lineStart(text, offset)).trimEnd();
  if (/[|>][+-]?\d?$/.test(before))
    return {
      offset,
      expected: 'the lines of a text indented deeper than its key',
      found: `an indentation of ${indentOf(lineFrom(text, lineStart(text, offset)))}`,
    };
  return /^[\w./-]+$/.test(line)
    ? { offset, expected: 'a colon after the key', found: 'none', suggestion: JSON.stringify(`${line}:`) }
    : { offset, expected: 'a key and a colon', found: JSON.stringify(line.slice(0, LONGEST)) };
}

const LONGEST = 60;

function quoteWithoutEnd(text: string, { offset, message }: SyntaxFault): YamlSyntaxError {
  const quote = message.includes('"quote') ? '"' : "'";
  return { offset: Math.max(0, text.lastIndexOf(quote, offset - 1)), expected: `a ${quote} that ends this text`, found: 'none' };
}

/** A second colon behind a key; or a line below it that is indented deeper than its keys. */
function keyInValue(text: string, { offset }: SyntaxFault): YamlSyntaxError {
  const value = lineFrom(text, offset);
  if (/:(?:\s|$)/.test(value)) return { offset, ...needsQuotes(wholeValue(text, offset)), expected: 'quotes around a text with a colon' };
  const rest = /^\s*(?:#.*)?$/.test(value) || text.slice(lineStart(text, offset), offset).trim() === '' ? offset : offset + value.length;
  const next = rest + (/^[\s]*/.exec(text.slice(rest))?.[0].length ?? 0);
  return indentation(text, next);
}

/** A line that begins under nothing that is above it. */
function indentation(text: string, offset: number): YamlSyntaxError {
  const start = lineStart(text, offset);
  const line = lineFrom(text, start);
  const above: number[] = [];
  for (const each of text.slice(0, start).split('\n').reverse()) {
    if (/^\s*(?:#|$)/.test(each)) continue;
    // The key behind a dash stands where the dash does not.
    const columns = /^(\s*)((?:- +)+)/.test(each) ? [(/^\s*(?:- +)+/.exec(each)?.[0] ?? '').length, indentOf(each)] : [indentOf(each)];
    for (const column of columns) if (column < (above.at(-1) ?? Infinity)) above.push(column);
    if (above.at(-1) === 0 || each.startsWith('---')) break;
  }
  const columns = above.slice(0, NEAREST).toReversed();
  const found = indentOf(line);
  const place = start + found;
  if (columns.includes(found)) return { offset: place, expected: 'a list item (- …), as above it', found: 'none' };
  const known = columns.join(', ').replace(/, (\d+)$/, ' or $1');
  return { offset: place, expected: known === '' ? 'no indentation' : `an indentation of ${known}, as above it`, found: String(found) };
}

/** So many indentations are named, the nearest lines first. */
const NEAREST = 3;

/** A bracket that nothing closes, or that another one closes. */
function unclosed(text: string, offset: number, tokens: readonly CST.Token[]): YamlSyntaxError | undefined {
  let open: CST.FlowCollection | undefined;
  const pending: CST.Token[] = [...tokens];
  for (let token = pending.pop(); token !== undefined; token = pending.pop()) {
    if (token.type === 'document') pending.push(...(token.value === undefined ? [] : [token.value]));
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) pending.push(...[key, value].filter((each) => each !== null && each !== undefined));
    if (token.type !== 'flow-collection' || token.offset > offset || token.offset <= (open?.offset ?? -1)) continue;
    if (token.end.every(({ source }) => source !== closingOf(token))) open = token;
  }
  if (open === undefined) return undefined;
  const [close, found] = [closingOf(open), text.charAt(offset)];
  return /[\]}]/.test(found)
    ? { offset, expected: `${close}, which closes the ${open.start.source}`, found }
    : { offset: open.offset, expected: `a ${close} that closes this ${open.start.source}`, found: 'none' };
}

const closingOf = ({ start }: CST.FlowCollection): string => (start.source === '[' ? ']' : '}');

const KEY = /(?:^|[\s{,[])([\w.-]+|"[^"]*"|'[^']*'):[ \t]+(?=[^\s|>&*#])/g;
/** Characters that plain names and sentences do not contain. */
const EXPRESSION = /[[({]|[=!<>]=|&&|\|\|/;

export function syntaxErrorAt(text: string, fault: SyntaxFault, tokens: readonly CST.Token[]): YamlSyntaxError {
  const expression = isUnendedQuote(fault) ? undefined : unquoted(text, fault.offset);
  return expression ?? readFault(text, fault, tokens) ?? unexplained(fault);
}

export const unexplained = ({ offset, message }: SyntaxFault): YamlSyntaxError => ({
  offset,
  expected: 'well-formed YAML',
  found: message,
});

/** What goes on behind its quotes is one, too, but for the next key. */
const isExpression = (whole: string): boolean =>
  EXPRESSION.test(whole) || (/^["']/.test(whole) && !/^(?:"[^"]*"|'[^']*')\s*["']?[\w.-]+["']?\s*:/.test(whole));

/** An expression that begins with an exclamation mark, which YAML takes for the tag of what comes after it; undefined: there is none. */
export function negated(text: string, after: number): YamlSyntaxError | undefined {
  const offset = text.lastIndexOf('!', after);
  const whole = offset < lineStart(text, after) ? '' : wholeValue(text, offset);
  return EXPRESSION.test(whole) ? { offset, ...needsQuotes(whole) } : undefined;
}

/** Returns the unquoted expression that contains the offset of a syntax error. */
function unquoted(text: string, offset: number): YamlSyntaxError | undefined {
  const start = lineStart(text, offset);
  const line = lineFrom(text, start);
  for (const match of line.matchAll(KEY)) {
    const from = start + match.index + match[0].length;
    if (from > offset) return undefined;
    const whole = wholeValue(text, from);
    if (from + whole.length < offset || !isExpression(whole) || isQuoted(whole) || isCollection(whole)) continue;
    return { offset: from, ...needsQuotes(whole) };
  }
  return undefined;
}

const isQuoted = (whole: string): boolean => /^"(?:[^"\\]|\\.)*"$|^'(?:[^']|'')*'$/.test(whole);

/** A list or a mapping, or what is left of one; behind the bracket that closes an expression of this beginning, it goes on. */
function isCollection(whole: string): boolean {
  if (!/^[[{]/.test(whole)) return false;
  let depth = 0;
  for (const [index, char] of [...whole].entries()) {
    if ('[{'.includes(char)) depth++;
    else if (']}'.includes(char) && --depth === 0) return whole.slice(index + 1).trim() === '';
  }
  return true;
}
