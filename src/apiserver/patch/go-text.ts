/** Values as Go prints them in error texts. Models: fmt verbs %v, %s, %T and reflect's names, for decoded JSON. */
import { isLong, jsonWord } from '../../schema/shape/index.ts';
import { quote } from '../../schema/values/index.ts';
import { isList, isMap, sortedKeys, sortedMap } from './values.ts';

/** `%v` of a float64: shortest digits, an exponent of two digits below 1e-4 and from 1e21. */
export function goNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e21)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** `%v`: maps in key order, text without quotes, null as `<nil>`. */
export function goValue(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (isLong(value)) return value.text;
  if (typeof value === 'number') return goNumber(value);
  if (isList(value)) return `[${value.map(goValue).join(' ')}]`;
  if (isMap(value))
    return `map[${sortedKeys(value)
      .map((key) => `${key}:${goValue(value[key])}`)
      .join(' ')}]`;
  return String(value);
}

/** `%s`: differs from `%v` for values that are not text. */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (typeof value === 'number' || typeof value === 'boolean' || isLong(value)) return `%!s(${goType(value)}=${goValue(value)})`;
  return goValue(value);
}

/** `%T` of decoded JSON in which whole numbers are int64 (`numbers: 'split'`) or all are float64. */
export function goType(value: unknown, numbers: 'split' | 'float' = 'split'): string {
  if (value === null || value === undefined) return '<nil>';
  if (isLong(value)) return numbers === 'split' ? 'int64' : 'float64';
  if (typeof value === 'number') return numbers === 'split' && Number.isInteger(value) ? 'int64' : 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (isList(value)) return '[]interface {}';
  if (isMap(value)) return 'map[string]interface {}';
  return 'string';
}

/** reflect's Kind of the same value. */
export function goKind(value: unknown): string {
  if (isList(value)) return 'slice';
  if (isMap(value)) return 'map';
  return goType(value);
}

/** The word of encoding/json for a value of the wrong type. */
export const jsonKind = (value: unknown): string => (value === null || value === undefined ? 'null' : jsonWord(value, false));

/** A value as encoding/json writes it: maps in key order, `<`, `>`, `&` and line separators escaped. */
export const goJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (isMap(item) ? sortedMap(item) : item)).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** `%#v` of decoded JSON. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (isList(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (isMap(value))
    return `map[string]interface {}{${sortedKeys(value)
      .map((key) => `${quote(key)}:${goSyntax(value[key])}`)
      .join(', ')}}`;
  return goValue(value);
}
