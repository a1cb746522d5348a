/**
 * Problems of a text that is not well-formed YAML. After a first syntax error the parser reports many more, so only the first is reported.
 * Where an expression without quotes caused it, the message says that it needs quotes.
 */
import type { CST } from 'yaml';
import { lineFrom, lineStart, needsQuotes, wholeValue, type YamlSyntaxError } from './quotes.ts';
import { isUnendedQuote, readFault, type SyntaxFault } from './syntax.ts';

const KEY = /(?:^|[\s{,[])([\w.-]+|"[^"]*"|'[^']*'):[ \t]+(?=[^\s|>&*#])/g;
/** Characters that plain names and sentences do not contain. */
const EXPRESSION = /[[({]|[=!<>]=|&&|\|\|/;

/** Returns the syntax error behind an error of the parser. */
export function syntaxErrorAt(text: string, fault: SyntaxFault, tokens: readonly CST.Token[]): YamlSyntaxError {
  const expression = isUnendedQuote(fault) ? undefined : unquoted(text, fault.offset);
  return expression ?? readFault(text, fault, tokens) ?? unexplained(fault);
}

/** An error in the parser's own words. */
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
