/** JSON as Go writes it: HTML characters are escaped, and integers beyond 2^53 keep their digits. Models: encoding/json encode.go. */
import { isLong, parseJson } from '../../../schema/shape/index.ts';

/** Text that JSON.stringify may write differently from Go: characters of strings, and long runs of digits, which may be numbers. */
const OTHERWISE = /[<>&\u2028\u2029]|\\[bf]|\d{16}/;
const ESCAPED = /\\.|[<>&\u2028\u2029]/g;
const NAMED: Readonly<Record<string, string>> = {
  '\\b': '\\u0008',
  '\\f': '\\u000c',
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** Returns a value as JSON text, indented by two spaces if `pretty`. */
export function jsonText(value: unknown, pretty = false): string {
  const indent = pretty ? 2 : undefined;
  const text = JSON.stringify(value, undefined, indent);
  if (!OTHERWISE.test(text)) return text;
  return exact(value, text, indent).replace(ESCAPED, (found) => NAMED[found] ?? found);
}

/** Returns the text with long integers, which are encoded as strings with a mark that does not occur, and unquoted afterwards. */
function exact(value: unknown, text: string, indent: number | undefined): string {
  let mark = '#';
  let long = false;
  // The mark must be longer than any run of it in the text.
  while (text.includes(mark)) mark += '#';
  const marked = JSON.stringify(
    value,
    function (this: Readonly<Record<string, unknown>>, key, item: unknown) {
      const raw = this[key];
      if (!isLong(raw)) return item;
      long = true;
      return `${mark}${raw.text}`;
    },
    indent,
  );
  return long ? marked.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : text;
}

/** Returns the value that a client reads from the text, as plain objects; long integers stay. */
export function plainJson(value: unknown): unknown {
  const text = JSON.stringify(value);
  return /\d{16}/.test(text) ? parseJson(jsonText(value)).value : (JSON.parse(text) as unknown);
}
