/** Field selectors: `metadata.name=a,status.phase!=Running`. Models: v1.24 apimachinery pkg/fields. */
import { bad, compareText, good, memoised, type Parsed } from './texts.ts';

export interface FieldTerm {
  readonly field: string;
  readonly op: '=' | '!=';
  readonly value: string;
}

/** The terms, sorted by their text; an empty list selects everything. */
export type FieldSelector = readonly FieldTerm[];

/** Parses the text form. The caller, which has the kind, checks the field names. Results are cached. */
export const parseFieldSelector: (text: string) => Parsed<FieldSelector> = memoised(read, 1024);

function read(text: string): Parsed<FieldSelector> {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).toSorted(compareText)) {
    if (part === '') continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
    if (match === null) return bad(`invalid selector: '${text}'; can't understand '${part}'`);
    const [, field = '', sign, escaped = ''] = match;
    const value = unescapeFieldValue(escaped);
    if (value.error !== undefined) return value;
    if (field !== '' || value.value !== '') terms.push({ field, op: sign === '!=' ? '!=' : '=', value: value.value });
  }
  return good(terms);
}

/** Splits at commas that are not escaped by a backslash. */
const splitTerms = (text: string): string[] => {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
};

/** Returns the value of an escaped text, or the error of an invalid escape. */
export function unescapeFieldValue(text: string): Parsed<string> {
  if (!/[\\,=]/.test(text)) return good(text);
  let value = '';
  let escaped = false;
  for (const char of text) {
    const special = char === '\\' || char === ',' || char === '=';
    if (escaped && !special) return bad(`invalid field selector: invalid escape sequence: \\${char}`);
    if (!escaped && special && char !== '\\') return bad(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    escaped = !escaped && char === '\\';
    if (!escaped) value += char;
  }
  return escaped ? bad('invalid field selector: invalid escape sequence: \\') : good(value);
}

/** Whether all terms match; `valueOf` must return '' for a field that the object does not have. */
export function matchesFields(terms: FieldSelector, valueOf: (field: string) => string): boolean {
  for (const { field, op, value } of terms) if ((valueOf(field) === value) !== (op === '=')) return false;
  return true;
}

/** The value that a field must have to be selected; undefined: the selector does not fix it. Lists use it to read an index. */
export const exactFieldMatch = (terms: FieldSelector, field: string): string | undefined =>
  terms.find((term) => term.field === field && term.op === '=')?.value;
