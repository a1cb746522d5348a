/**
 * Validation of values beyond their types. Models: v1.24 apiextensions pkg/apiserver/validation, formats.go, with its error texts;
 * kube-openapi strfmt.
 */
import { perObject } from '../../engine/index.ts';
import { RE2JS } from 're2js';
import { append, isBase64, own, parseCidr, parseGoDuration, readTime } from '../../schema/values/index.ts';
import { isLong } from '../../schema/shape/index.ts';
import { duplicate, type FieldError, invalid, notSupported, required, tooMany } from '../machinery/index.ts';
import type { Structural } from './members.ts';

const patternOf = perObject((_: Structural, pattern: string) => RE2JS.compile(pattern));

/** Returns all errors of a value in the order of the schema. A value of the wrong type is still checked against the other rules. */
export function ruleErrors(value: unknown, node: Structural, path: string): readonly FieldError[] {
  if (value === undefined || (value === null && node.nullable === true)) return [];
  const basic = [...typeErrors(value, node, path), ...scalarErrors(value, node, path), ...alternativeErrors(value, node, path)];
  const chosen = enumErrors(value, node, path);
  if (Array.isArray(value)) return [...basic, ...listErrors(value, node, path), ...chosen];
  if (typeof value !== 'object' || value === null || isLong(value)) return [...basic, ...chosen];
  return [...basic, ...chosen, ...objectErrors(value as Readonly<Record<string, unknown>>, node, path)];
}

const INT32_MAX = 2_147_483_647;

const isLarge = (value: unknown): boolean => typeof value !== 'number' || value > INT32_MAX || value < -INT32_MAX - 1;

/** Returns the JSON type of a value; integers are distinguished from other numbers. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isLong(value)) return 'integer';
  return typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
}

function typeErrors(value: unknown, node: Structural, path: string): readonly FieldError[] {
  const types = node['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : node.type === undefined ? [] : [node.type];
  const is = typeOf(value);
  const wrong = (expected: string, found: string): readonly FieldError[] => [
    { type: 'TypeInvalid', field: path, value: found, detail: `${path} in body must be of type ${expected}: ${JSON.stringify(found)}` },
  ];
  if (types.length > 0 && !types.includes(is) && !(is === 'integer' && node.type === 'number')) return wrong(types.join(','), is);
  return node.format === 'int32' && is === 'integer' && isLarge(value) ? wrong('int32', 'int64') : [];
}

function enumErrors(value: unknown, node: Structural, path: string): readonly FieldError[] {
  return node.enum === undefined || node.enum.includes(value) ? [] : [notSupported(path, value, node.enum.map(String))];
}

function scalarErrors(value: unknown, node: Structural, path: string): readonly FieldError[] {
  const wrong = (text: string): readonly FieldError[] => [invalid(path, value, `${path} in body should ${text}`)];
  if (typeof value === 'string') {
    const { minLength = 0, maxLength = Infinity, pattern } = node;
    const length = [...value].length;
    return [
      ...(length < minLength ? wrong(`be at least ${minLength} chars long`) : []),
      ...(length > maxLength ? [{ type: 'TooLong', field: path, value, detail: `may not be longer than ${maxLength}` } as const] : []),
      ...(pattern !== undefined && !patternOf(node, pattern).test(value) ? wrong(`match '${pattern}'`) : []),
      ...formatErrors(value, node, path),
    ];
  }
  if (typeof value !== 'number') return [];
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = false, exclusiveMaximum = false, multipleOf } = node;
  return [
    ...(multipleOf !== undefined && multipleOf > 0 && !Number.isInteger(value / multipleOf) ? wrong(`be a multiple of ${multipleOf}`) : []),
    ...(value < minimum || (exclusiveMinimum && value === minimum)
      ? wrong(`be greater than ${exclusiveMinimum ? '' : 'or equal to '}${minimum}`)
      : []),
    ...(value > maximum || (exclusiveMaximum && value === maximum)
      ? wrong(`be less than ${exclusiveMaximum ? '' : 'or equal to '}${maximum}`)
      : []),
  ];
}

/** Unknown formats are ignored. */
function formatErrors(value: string, { format = '' }: Structural, path: string): readonly FieldError[] {
  return own(FORMATS, format)?.(value) === false
    ? [invalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`)]
    : [];
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const TIME_OF_DAY = /^[Tt](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const HOST = /^(?=.{1,255}$)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*\.?$/;
const EMAIL = /^[^@\s<>]+@[^@\s<>]+$/;
const MAC = /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}|[0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})$/i;

const isDate = (text: string): boolean => text.length === 10 && readTime(`${text}T00:00:00Z`).error === undefined;

/** Words for units of time: a text with a number before one of them is a duration. Models: kube-openapi strfmt duration.go. */
const UNIT = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;

const uuidOf =
  (version: string) =>
  (text: string): boolean =>
    UUID.test(text) && text.replaceAll('-', '')[12] === version;

const isUri = (text: string): boolean => {
  try {
    return new URL(text).protocol !== '';
  } catch {
    return text.startsWith('/');
  }
};

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => isDate(text.slice(0, 10)) && TIME_OF_DAY.test(text.slice(10)),
  date: isDate,
  duration: (text) =>
    parseGoDuration(text).error === undefined || [...text.matchAll(/(?<!\d)\d+\s*([a-zµ]+)/gi)].some(([, unit = '']) => UNIT.test(unit)),
  uuid: (text) => UUID.test(text),
  uuid3: uuidOf('3'),
  uuid4: uuidOf('4'),
  uuid5: uuidOf('5'),
  ipv4: (text) => !text.includes(':') && parseCidr(`${text}/32`).value !== undefined,
  ipv6: (text) => text.includes(':') && parseCidr(`${text}/128`).value !== undefined,
  cidr: (text) => parseCidr(text).value !== undefined,
  byte: isBase64,
  hostname: (text) => HOST.test(text),
  email: (text) => EMAIL.test(text),
  mac: (text) => MAC.test(text),
  uri: isUri,
};

/** Models: kube-openapi pkg/validation/validate schema_props.go. */
function alternativeErrors(value: unknown, node: Structural, path: string): readonly FieldError[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = node;
  if (allOf.length + anyOf.length + oneOf.length === 0 && not === undefined) return NONE;
  const errors: FieldError[] = [];
  const add = (words: string): unknown =>
    errors.push({ type: 'Invalid', field: '<nil>', value: '', detail: `${JSON.stringify(path)} must ${words}` });
  const found = (schemas: readonly Structural[]): readonly (readonly FieldError[])[] =>
    schemas.map((each) => ruleErrors(value, each, path));
  if (anyOf.length > 0) {
    const results = found(anyOf);
    if (results.every((each) => each.length > 0)) {
      add('validate at least one schema (anyOf)');
      append(errors, results[0] ?? NONE);
    }
  }
  if (oneOf.length > 0) {
    const results = found(oneOf);
    const valid = results.filter((each) => each.length === 0).length;
    if (valid !== 1) add(`validate one and only one schema (oneOf). Found ${valid === 0 ? 'none valid' : `${valid} valid alternatives`}`);
    if (valid === 0) append(errors, results[0] ?? NONE);
  }
  const results = found(allOf);
  const valid = results.filter((each) => each.length === 0).length;
  for (const each of results) append(errors, each);
  if (valid < allOf.length) add(`validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`);
  if (not !== undefined && ruleErrors(value, not, path).length === 0) add('not validate the schema (not)');
  return errors;
}

const NONE: readonly FieldError[] = [];

function listErrors(value: readonly unknown[], node: Structural, path: string): readonly FieldError[] {
  const { items = {}, minItems = 0, maxItems = Infinity } = node;
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const keyOf = (item: unknown): unknown =>
    node['x-kubernetes-list-type'] === 'map'
      ? Object.fromEntries(keys.map((key) => [key, (item as Readonly<Record<string, unknown>> | null)?.[key]]))
      : item;
  const unique = node['x-kubernetes-list-type'] === 'map' || node['x-kubernetes-list-type'] === 'set';
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  if (value.length < minItems) errors.push(invalid(path, value.length, `${path} in body should have at least ${minItems} items`));
  if (value.length > maxItems) errors.push(tooMany(path, value.length, maxItems));
  for (const [at, item] of value.entries()) {
    const key = unique ? JSON.stringify(keyOf(item)) : undefined;
    if (key !== undefined && seen.has(key)) errors.push(duplicate(`${path}[${at}]`, keyOf(item)));
    if (key !== undefined) seen.add(key);
    append(errors, ruleErrors(item, items, `${path}[${at}]`));
  }
  return errors;
}

function objectErrors(value: Readonly<Record<string, unknown>>, node: Structural, path: string): readonly FieldError[] {
  const { properties = {}, additionalProperties, minProperties = 0, maxProperties = Infinity } = node;
  const inner = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const count = Object.keys(value).length;
  const errors: FieldError[] = (node.required ?? []).filter((name) => !Object.hasOwn(value, name)).map((name) => required(inner(name)));
  if (count < minProperties) errors.push(invalid(path, count, `${path} in body should have at least ${minProperties} properties`));
  if (count > maxProperties) errors.push(tooMany(path, count, maxProperties));
  for (const name of Object.keys(value)) {
    const of = Object.hasOwn(properties, name)
      ? properties[name]
      : typeof additionalProperties === 'object'
        ? additionalProperties
        : undefined;
    if (of !== undefined) append(errors, ruleErrors(value[name], of, inner(name)));
  }
  return errors;
}
