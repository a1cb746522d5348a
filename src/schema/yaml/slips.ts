/**
 * What is wrong with a document that is no YAML. A parser that has lost its way trips again and again: the first slip is told, and where an
 * expression stands without quotes, that it needs them.
 */

/** A slip as a message tells it. */
export interface Slip {
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly suggestion?: string;
}

const KEY = /(?:^|[\s{,[])([\w.-]+|"[^"]*"|'[^']*'):[ \t]+(?=[^\s{[|>&*#])/g;
/** What no plain name or sentence has. */
const EXPRESSION = /[[({]|[=!<>]=|&&|\|\|/;
const NEXT_KEY = /^,\s*[\w.-]+:(?:\s|$)/;

export function slipAt(text: string, offset: number, message: string): Slip {
  return unquoted(text, offset) ?? { offset, expected: 'well-formed YAML', found: message };
}

/** The expression that a slip lies in. */
function unquoted(text: string, offset: number): Slip | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const line = lineFrom(text, start);
  for (const match of line.matchAll(KEY)) {
    const from = start + match.index + match[0].length;
    if (from > offset) return undefined;
    const whole = wholeValue(text, from);
    if (from + whole.length < offset || !EXPRESSION.test(whole) || isQuoted(whole)) continue;
    return { offset: from, ...needsQuotes(whole) };
  }
  return undefined;
}

/** What to say of a text that means something else without quotes. */
export const needsQuotes = (whole: string): Omit<Slip, 'offset'> => ({
  expected: 'quotes around a text with brackets, braces, commas or colons',
  found: 'none',
  suggestion: inQuotes(whole),
});

const lineFrom = (text: string, start: number): string => {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
};

const isQuoted = (whole: string): boolean => /^"(?:[^"\\]|\\.)*"$|^'(?:[^']|'')*'$/.test(whole);

const inQuotes = (text: string): string => (/["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`);

/** A value on one line as its writer meant it: up to what closes around it, the next key, a comment. */
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
    if (ends) return line.slice(0, at).trimEnd();
  }
  return line.trimEnd();
}
