/** Texts that need quotes, and lines of a text. */

/** A syntax error as a message reports it. */
export interface YamlSyntaxError {
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  readonly suggestion?: string;
}

/** Where the line of an offset begins. */
export const lineStart = (text: string, offset: number): number => (offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1);

/** What is left of a line from an offset on. */
export const lineFrom = (text: string, start: number): string => {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '');
};

/** Returns the message for a text that needs quotes. */
export const needsQuotes = (whole: string): Omit<YamlSyntaxError, 'offset'> => ({
  expected: 'quotes around a text with brackets, braces, commas or colons',
  found: 'none',
  suggestion: inQuotes(whole),
});

/** A text as YAML has it in quotes. */
export const inQuotes = (text: string): string => (/["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`);

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
