/**
 * A step of a field path: a field name, the key or value of a list item, or an index. Steps are serialized as in FieldsV1, and compared in
 * this form. Models: structured-merge-diff v4 fieldpath/{element,serialize-pe}.go, value/value.go.
 */
import { goNumber } from './go-text.ts';
import { compareText, jsonIn, put, quote } from '../../schema/values/index.ts';
import { isList, isMap, sortedKeys, sortedMap, type JsonMap } from './values.ts';

export const fieldElement = (name: string): string => `f:${name}`;
export const valueElement = (value: unknown): string => `v:${JSON.stringify(value)}`;

/** Returns the element for the key of a list item; `keys` may be in any order. */
export function keyElement(keys: readonly (readonly [string, unknown])[]): string {
  const [only] = keys;
  if (only !== undefined && keys.length === 1) return `k:{${JSON.stringify(only[0])}:${JSON.stringify(only[1])}}`;
  const map: Record<string, unknown> = {};
  for (const [name, value] of keys) put(map, name, value);
  return `k:${JSON.stringify(sortedMap(map))}`;
}

const RANKS = 'fkvi';

/** Returns the elements in order: fields before keys before values before indexes; each is parsed only once. */
export function sortedPathElements(elements: Iterable<string>): string[] {
  const read = Array.from(elements, (element) => ({
    element,
    rank: RANKS.indexOf(element.charAt(0)),
    value: element.startsWith('f:') ? undefined : (JSON.parse(element.slice(2)) as unknown),
  }));
  return read
    .sort((a, b) => a.rank - b.rank || (a.rank === 0 ? compareText(a.element, b.element) : compareValues(a.value, b.value)))
    .map(({ element }) => element);
}

/** Compares values: numbers before texts before booleans before lists before maps before null. */
function compareValues(a: unknown, b: unknown): number {
  const rank = valueRank(a) - valueRank(b);
  if (rank !== 0) return rank;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (isList(a) && isList(b)) return compareLists(a, b);
  return isMap(a) && isMap(b) ? compareMaps(a, b) : 0;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareMaps(a: JsonMap, b: JsonMap): number {
  const left = sortedKeys(a);
  const right = sortedKeys(b);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [x, y] = [left[i] ?? '', right[i] ?? ''];
    const order = compareText(x, y) || compareValues(a[x], b[y]);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function valueRank(value: unknown): number {
  if (value === null) return 5;
  if (isList(value)) return 3;
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : typeof value === 'boolean' ? 2 : 4;
}

/** Returns a serialized element in its canonical form; '' for element types of later versions, which are ignored; undefined: invalid. */
export function parsePathElement(text: string): string | undefined {
  if (text.charAt(1) !== ':') return undefined;
  const kind = text.charAt(0);
  if (kind === 'f') return text;
  if (kind === 'i') return /^i:[+-]?\d+$/.test(text) ? `i:${Number(text.slice(2))}` : undefined;
  if (kind !== 'k' && kind !== 'v') return '';
  const value = jsonIn(text.slice(2));
  if (kind === 'k') return isMap(value) ? keyElement(Object.entries(value)) : undefined;
  return value === undefined ? undefined : valueElement(value);
}

/** Prints a path as conflicts do: `.spec.containers[name="c1"].image`. */
export const showPath = (path: readonly string[]): string => path.map(showElement).join('');

export function showElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith('f:')) return `.${text}`;
  if (element.startsWith('i:')) return `[${text}]`;
  const value: unknown = JSON.parse(text);
  if (element.startsWith('k:') && isMap(value))
    return `[${sortedKeys(value)
      .map((name) => `${name}=${showValue(value[name])}`)
      .join(',')}]`;
  return `[=${showValue(value)}]`;
}

function showValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return goNumber(value);
  if (isList(value)) return `[${value.map(showValue).join(',')}]`;
  if (isMap(value))
    return `{${sortedKeys(value)
      .map((name) => `${name}=${showValue(value[name])}`)
      .join(';')}}`;
  return String(value);
}
