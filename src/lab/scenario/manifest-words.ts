/** Converts the server's errors about manifests to the form of this format: the expected value, and the right one where it is known. */
import { GoText, nearest } from '../../schema/values/index.ts';
import type { FieldError } from '../../apiserver/machinery/index.ts';
import type { Schema } from '../../schema/shape/index.ts';
import { type Located, type Position, showValue } from '../../schema/yaml/index.ts';
import { quoted } from './context.ts';
import { describeField, oneOf } from './field-types.ts';
import { closestBoolean, showNoText, showScalar, writtenAsText } from './read-scalars.ts';

const INT32 = { min: -2_147_483_648, max: 2_147_483_647 };
const INSTANT = describeField({ type: 'instant' });

const EXPECTED: Readonly<Record<Exclude<Schema['type'], 'int32'>, string>> = {
  string: 'a text',
  boolean: describeField({ type: 'boolean' }),
  quantity: describeField({ type: 'quantity' }),
  duration: describeField({ type: 'duration' }),
  int64: 'a whole number of at most 64 bits',
  float64: 'a number',
  intOrString: 'a whole number or a text',
  time: INSTANT,
  microTime: INSTANT,
  bytes: 'a text in base64',
  list: 'a list',
  map: 'a mapping',
  object: 'a mapping',
  any: 'a value that JSON can hold',
};

export const expectedBy = ({ type }: Schema, value: unknown): string =>
  type === 'int32' ? describeField({ type: 'integer', ...(Number.isInteger(value) ? INT32 : {}) }) : EXPECTED[type];

/** Returns the right form of the value, where it is unambiguous. */
export function rewritten(schema: Schema, node: Located): string | undefined {
  const { plain } = node;
  if (schema.type === 'string' || schema.type === 'bytes') return schema.type === 'string' ? writtenAsText(node) : undefined;
  if (schema.type === 'boolean') return closestBoolean(plain);
  const isNumber = schema.type === 'int32' || schema.type === 'int64' || schema.type === 'float64';
  return isNumber && typeof plain === 'string' && /^-?\d{1,9}$/.test(plain) ? String(Number(plain)) : undefined;
}

/** Describes the found value in place of an expected one. */
export const foundInstead = (schema: Schema, node: Located): string => (schema.type === 'string' ? showNoText(node) : foundAt(node));

const foundAt = (node: Located): string => (node.shape === 'scalar' ? showScalar(node) : showValue(node.plain));

/** Parts of messages that are for programs. */
const REGEX = / \(regex used for validation is '.*'\)$|, regex used for validation is '.*'(?=\)$)/;

export interface Words {
  readonly expected: string;
  readonly found: string;
  readonly suggestion?: string | undefined;
}

const namesIn = (detail: string): readonly string[] => [...detail.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);

/** Which part of a value is none of the names: the item of a list, the type of what has one. */
export function culprit({ type, detail }: FieldError, node: Located): Located {
  const names = namesIn(detail);
  if (type !== 'NotSupported' || names.length === 0) return node;
  if (node.shape === 'list') return node.items.find(({ plain }) => !names.includes(String(plain))) ?? node;
  return node.shape === 'map' ? (node.entries.get('type')?.value ?? node) : node;
}

/** Converts an error of the server about a value, or about a missing value. */
export function wordsOf(error: FieldError, { node, exact, key }: Placed): Words {
  const { type, detail, value } = error;
  const found = key !== undefined ? showFound(value) : exact ? foundAt(node) : type === 'Required' ? 'nothing' : showFound(value);
  const reason = detail.replace(REGEX, '');
  const why = reason === '' ? '' : ` (${reason})`;
  switch (type) {
    case 'Required':
      return { expected: `a value${why}`, found };
    case 'NotSupported':
      return { ...oneOfThese(detail, node.shape === 'scalar' ? node.plain : value), found };
    case 'Forbidden':
      return { expected: `no value${why}`, found };
    case 'NotFound':
      return { expected: `the name of one that is there${why}`, found };
    case 'Duplicate':
      return { expected: 'each of them once', found: `${showFound(value)} again` };
    case 'TooLong':
    case 'TooMany':
      return { expected: detail.replace(/^must have /, ''), found };
    default:
      return { expected: `a value that the server accepts${why}`, found, suggestion: quoted(nearestOfTwo(detail, value)) };
  }
}

/** `must be 'OrderedReady' or 'Parallel'` lists names, too. */
function nearestOfTwo(detail: string, value: unknown): string | undefined {
  const [, ...names] = /^must be '([^']+)' or '([^']+)'$/.exec(detail) ?? [];
  return typeof value === 'string' ? nearest(value, names) : undefined;
}

const showFound = (value: unknown): string => (value instanceof GoText ? value.text : showValue(value));

function oneOfThese(detail: string, value: unknown): Pick<Words, 'expected' | 'suggestion'> {
  const names = namesIn(detail);
  return {
    expected: names.length === 0 ? 'a value that the server accepts' : oneOf(names),
    suggestion: quoted(nearest(String(value), names)),
  };
}

export interface Placed {
  /** The node at the path, or the last one that exists along it. */
  readonly node: Located;
  readonly exact: boolean;
  /** The position of the key, where the error is about a key. */
  readonly key?: Position;
}

/** Splits `spec.containers[0].image` into steps; a step in brackets may be a key: `metadata.labels[a.b/c]`. */
export const stepsOf = (field: string): readonly (string | number)[] =>
  [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inside, name = '']) =>
    inside === undefined ? name : /^\d+$/.test(inside) ? Number(inside) : inside,
  );

/** Returns the node at a path. Errors about an entry of a mapping name the mapping, and its key or value: the result is then the entry. */
export function placed(root: Located, steps: readonly (string | number)[], value?: unknown): Placed {
  let node = root;
  let exact = true;
  for (const step of steps) {
    const next =
      node.shape === 'list' && typeof step === 'number'
        ? node.items[step]
        : node.shape === 'map'
          ? node.entries.get(String(step))?.value
          : undefined;
    exact = next !== undefined && !(next.shape === 'scalar' && next.plain === null);
    if (next === undefined) break;
    node = next;
  }
  return exact && typeof value === 'string' && node.shape === 'map' ? entryOf(node, value) : { node, exact };
}

function entryOf(node: Located & { readonly shape: 'map' }, value: string): Placed {
  const entry = node.entries.get(value);
  if (entry !== undefined) return { node, exact: true, key: node.source.at(entry.keyStart) };
  const same = [...node.entries.values()].find((each) => each.value.plain === value);
  return { node: same?.value ?? node, exact: true };
}
