/**
 * The meaning of a plain (unquoted) scalar in Kubernetes tools, which read YAML 1.1: `0644` is 420, `yes` and `on` are booleans, `08` is
 * the number 8, `1:30` and dates stay strings. Models: go-yaml v2 resolve.go as used by sigs.k8s.io/yaml v1.2.
 */
import { isLong, RawNumber } from '../values/index.ts';

const WORDS: ReadonlyMap<string, boolean | null | number> = new Map<string, boolean | null | number>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+)|(0[bB][01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;

const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

export function resolvePlain(text: string): string | number | boolean | null | RawNumber {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  const numberLike = (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46;
  if (!numberLike) return text;
  // Underscores separate digits, but a number that starts with a dot is read unchanged.
  const digits = first === 46 ? text : text.replaceAll('_', '');
  const integer = INTEGER.exec(digits);
  if (integer !== null) {
    const [, sign, hex, binary, octal, decimal] = integer;
    const size = BigInt(octal === undefined ? (hex ?? binary ?? decimal ?? '') : `0o${octal}`);
    const value = sign === '-' ? -size : size;
    const long = new RawNumber(String(value));
    if (isLong(long)) return long;
    if (decimal !== undefined || (value >= MIN_INT64 && value <= MAX_UINT64)) return finite(Number(value), text);
  }
  return FLOAT.test(digits) ? finite(Number(digits), text) : text;
}

const finite = (value: number, text: string) => (Number.isFinite(value) ? value : text);

const TAG_PREFIX = 'tag:yaml.org,2002:';
export const shortTag = (tag: string) => (tag.startsWith(TAG_PREFIX) ? `!!${tag.slice(TAG_PREFIX.length)}` : tag);
/** Whether a tag says no more than the shape does. */
export const isOrdinaryTag = (tag: string | undefined, name: string) => tag === undefined || tag === '!' || tag === `${TAG_PREFIX}${name}`;

/** The value of a scalar with an explicit tag (those of JSON, no others), or undefined if the two do not go together. */
export function tagged(text: string, plain: boolean, tag: string | undefined): string | number | boolean | null | RawNumber | undefined {
  if (tag === undefined) return plain ? resolvePlain(text) : text;
  if (tag === '!' || tag === `${TAG_PREFIX}str`) return text;
  const value = resolvePlain(text);
  switch (tag) {
    case `${TAG_PREFIX}int`:
      return Number.isInteger(value) || isLong(value) ? value : undefined;
    case `${TAG_PREFIX}float`:
      return typeof value === 'number' ? value : undefined;
    case `${TAG_PREFIX}bool`:
      return typeof value === 'boolean' ? value : undefined;
    case `${TAG_PREFIX}null`:
      return value === null ? null : undefined;
    default:
      return undefined;
  }
}
