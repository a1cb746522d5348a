/**
 * YAML as the API writes it: sorted keys, lists without indentation, quotes around texts that would be read as other types, long lines
 * folded. Models: go-yaml v2 encode.go, emitterc.go, sigs.k8s.io/yaml.
 */
import { resolvePlain } from '../../../schema/yaml/index.ts';
import { RawNumber } from '../../../schema/shape/index.ts';
import { compareText } from '../../../schema/values/index.ts';

const WIDTH = 80;

export function toYaml(value: unknown): string {
  const body = block(value, 0);
  return body.startsWith('\n') ? body.slice(1) : `${body.trimStart()}\n`;
}

/** Returns the text after a key or a dash: a space and a scalar, or lines. */
function block(value: unknown, indent: number): string {
  if (Array.isArray(value)) return value.length === 0 ? ' []' : `\n${value.map((item) => entry('-', item, indent)).join('')}`;
  if (typeof value === 'object' && value !== null && !(value instanceof RawNumber)) {
    const keys = Object.keys(value)
      .filter((key) => (value as Record<string, unknown>)[key] !== undefined)
      .sort(compareText);
    return keys.length === 0
      ? ' {}'
      : `\n${keys.map((key) => entry(`${scalar(key, 0, 0, true)}:`, (value as Record<string, unknown>)[key], indent)).join('')}`;
  }
  return ` ${scalar(value, 0, 2, false)}`;
}

function entry(head: string, value: unknown, indent: number): string {
  const margin = ' '.repeat(indent);
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) {
    const start = `${margin}${head} `;
    return `${start}${scalar(value, start.length, indent + 2, false)}\n`;
  }
  const isList = Array.isArray(value);
  // Lists have the same indentation as their key.
  const inner = block(value, head !== '-' && isList ? indent : indent + 2);
  if (!inner.startsWith('\n')) return `${margin}${head}${inner}\n`;
  return head === '-' ? `${margin}- ${inner.slice(1 + indent + 2)}` : `${margin}${head}${inner}`;
}

const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:$|[Tt ]\d{1,2}:\d{1,2}:\d{1,2})/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const STARTS_OTHERWISE = /^(?:[#,[\]{}&*!|>'"%@`]|[-?:](?=\s|$)|---|\.\.\.)/;
const MEANS_OTHERWISE = /:(?=\s|$)|\s#|^\s|\s$/;
/** Characters that go-yaml escapes: control characters, lone surrogates, byte order marks, unprintable ones. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\ud800-\udfff\ufeff\ufffe\uffff]/;

function scalar(value: unknown, column: number, indent: number, key: boolean): string {
  if (typeof value !== 'string') return value === undefined ? 'null' : String(value);
  if (value.includes('\n') && !key && !UNPRINTABLE.test(value) && !/[ \t](?:\n|$)/.test(value)) return literal(value, indent);
  if (value.includes('\n') || UNPRINTABLE.test(value)) return folded(value, column, indent, 'double', key);
  if (value !== '' && (resolvePlain(value) !== value || TIMESTAMP.test(value) || BASE_60.test(value) || value === '<<' || value === '='))
    return folded(value, column, indent, 'double', key);
  if (value === '') return '""';
  if (STARTS_OTHERWISE.test(value) || MEANS_OTHERWISE.test(value)) return folded(value, column, indent, 'single', key);
  return folded(value, column, indent, 'plain', key);
}

function literal(value: string, indent: number): string {
  const margin = ' '.repeat(indent);
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const chomp = !value.endsWith('\n') ? '-' : value.endsWith('\n\n') || value === '\n' ? '+' : '';
  const lines = (value.endsWith('\n') ? value.slice(0, -1) : value).split('\n');
  return `|${hint}${chomp}\n${lines.map((line) => (line === '' ? '' : margin + line)).join('\n')}`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\0': '\\0',
  '\u0007': '\\a',
  '\u001b': '\\e',
};

function escaped(char: string): string {
  const known = ESCAPES[char];
  if (known !== undefined) return known;
  if (!UNPRINTABLE.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Folds a line at the first single space beyond the width. */
function folded(value: string, column: number, indent: number, style: 'plain' | 'single' | 'double', key: boolean): string {
  const quote = style === 'plain' ? '' : style === 'single' ? "'" : '"';
  const chars = [...value];
  let out = quote;
  let at = column + quote.length;
  for (const [index, char] of chars.entries()) {
    const mayFold = style === 'plain' || (index > 0 && index < chars.length - 1);
    if (char === ' ' && !key && mayFold && at > WIDTH && chars[index - 1] !== ' ' && (style === 'double' || chars[index + 1] !== ' ')) {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
      if (style === 'double' && chars[index + 1] === ' ') {
        out += '\\';
        at += 1;
      }
      continue;
    }
    const written = style === 'double' ? escaped(char) : style === 'single' && char === "'" ? "''" : char;
    out += written;
    at += written.length;
  }
  return out + quote;
}
