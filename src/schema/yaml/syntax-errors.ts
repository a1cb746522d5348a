/**
 * Problems of a text that is not well-formed YAML. After a first syntax error the parser reports many more, so only the first is reported.
 * Where an expression without quotes caused it, the message says that it needs quotes.
 */

/** A syntax error as a message reports it. */
export interface YamlSyntaxError {
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly suggestion?: string;
}

const KEY = /(?:^|[\s{,[])([\w.-]+|"[^"]*"|'[^']*'):[ \t]+(?=[^\s{[|>&*#])/g;
/** Characters that plain names and sentences do not contain. */
const EXPRESSION = /[[({]|[=!<>]=|&&|\|\|/;
const NEXT_KEY = /^,\s*[\w.-]+:(?:\s|$)/;

/** Returns the error to report for the first syntax error of a text. */
export function syntaxErrorAt(text: string, offset: number, message: string): YamlSyntaxError {
  return unquoted(text, offset) ?? { offset, expected: 'well-formed YAML', found: message };
}

/** Returns the unquoted expression that contains the offset of a syntax error. */
function unquoted(text: string, offset: number): YamlSyntaxError | undefined {
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

/** Returns the message for a text that needs quotes. */
export const needsQuotes = (whole: string): Omit<YamlSyntaxError, 'offset'> => ({
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
    if (ends) return line.slice(0, at).trimEnd();
  }
  return line.trimEnd();
}
