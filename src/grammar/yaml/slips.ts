/**
 * What is wrong with a document that is no YAML. A parser that has lost its way trips again and again: the first slip is told, and where an
 * expression stands without quotes, that it needs them.
 */
import type { CST } from 'yaml';
import { lineFrom, lineStart, needsQuotes, wholeValue, type Slip } from './quotes.ts';
import { isUnendedQuote, readFault, type SyntaxFault } from './syntax.ts';

const KEY = /(?:^|[\s{,[])([\w.-]+|"[^"]*"|'[^']*'):[ \t]+(?=[^\s|>&*#])/g;
/** What no plain name or sentence has. */
const EXPRESSION = /[[({]|[=!<>]=|&&|\|\|/;

/** The slip behind an error of the parser. */
export function slipAt(text: string, fault: SyntaxFault, tokens: readonly CST.Token[]): Slip {
  const expression = isUnendedQuote(fault) ? undefined : unquoted(text, fault.offset);
  return expression ?? readFault(text, fault, tokens) ?? unexplained(fault);
}

/** An error in the parser's own words. */
export const unexplained = ({ offset, message }: SyntaxFault): Slip => ({ offset, expected: 'well-formed YAML', found: message });

/** What goes on behind its quotes is one, too, but for the next key. */
const isExpression = (whole: string): boolean =>
  EXPRESSION.test(whole) || (/^["']/.test(whole) && !/^(?:"[^"]*"|'[^']*')\s*["']?[\w.-]+["']?\s*:/.test(whole));

/** An expression that begins with an exclamation mark, which YAML takes for the tag of what comes after it; undefined: there is none. */
export function negated(text: string, after: number): Slip | undefined {
  const offset = text.lastIndexOf('!', after);
  const whole = offset < lineStart(text, after) ? '' : wholeValue(text, offset);
  return EXPRESSION.test(whole) ? { offset, ...needsQuotes(whole) } : undefined;
}

/** The expression that a slip lies in. */
function unquoted(text: string, offset: number): Slip | undefined {
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
