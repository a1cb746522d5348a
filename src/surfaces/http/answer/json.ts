/**
 * JSON as Go writes it: what HTML takes for its own is escaped, integers beyond 2^53 keep their digits. Models: encoding/json encode.go.
 */
import { isLong, parseJson } from '../../../schema/shape/index.ts';

/** What the host writes otherwise: these characters can only stand in strings, and a long run of digits may be a number. */
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

/** A value as JSON text, indented by two blanks if wanted. */
export function jsonText(value: unknown, pretty = false): string {
  const indent = pretty ? 2 : undefined;
  const text = JSON.stringify(value, undefined, indent);
  if (!OTHERWISE.test(text)) return text;
  return exact(value, text, indent).replace(ESCAPED, (found) => NAMED[found] ?? found);
}

/** The text with the digits of long integers: written as strings behind a mark that the text does not have, and taken out of them again. */
function exact(value: unknown, text: string, indent: number | undefined): string {
  let mark = '#';
  let long = false;
  // Longer than any run of it in the text.
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

/** The value that a client reads from the text, without the classes that it was made of; long integers stay. */
export function plainJson(value: unknown): unknown {
  const text = JSON.stringify(value);
  return /\d{16}/.test(text) ? parseJson(jsonText(value)).value : (JSON.parse(text) as unknown);
}
