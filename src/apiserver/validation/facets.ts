/**
 * Validation by the facets of a schema, in upstream's words. What spans several fields is a function of the kind; the order of both is that
 * of the kind. Each schema is compiled once, and members without facets cost nothing.
 */
import { memo } from '../../engine/index.ts';
import {
  append,
  asPrefix,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isHttpHeaderName,
  isQualifiedName,
  isValidIp,
  isValidLabelValue,
  isValidPathSegmentName,
  isValidPercent,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
  parseIp,
  validateLabelName,
  validateLabels,
  validateLabelSelector,
  validateNonSpecialIp,
} from '../../schema/values/index.ts';
import type { Bound, Format, ObjectShape, Schema } from '../../schema/shape/index.ts';
import type { FieldError } from '../objects/index.ts';
import {
  driverNameErrors,
  duplicate,
  forbidden,
  immutableText,
  invalid,
  notSupported,
  problemsAt,
  required,
  sameValue,
} from './field-errors.ts';
import { shown, shownInstant } from './go-types.ts';

export const noBacksteps = (path: string, field: string): FieldError[] =>
  path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : [];

export const descendingPath = (path: string, field: string): FieldError[] => [
  ...(path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []),
  ...noBacksteps(path, field),
];

/** The path of a projected file: its name must not begin with `..` either. */
const filePath = (path: string, field: string): FieldError[] => [
  ...descendingPath(path, field),
  ...(path.startsWith('..') && !path.startsWith('../') ? [invalid(field, path, "must not start with '..'")] : []),
];

/** A number of pods that is not negative, or a percentage. */
const shareErrors = (value: number | string, field: string): FieldError[] =>
  typeof value === 'string'
    ? problemsAt(isValidPercent(value), field, shown(value, { type: 'intOrString' }))
    : value < 0
      ? [invalid(field, value, 'must be greater than or equal to 0')]
      : [];

/** Returns the error of a percentage above 100. */
export const excessErrors = (value: number | string, field: string): FieldError[] =>
  typeof value === 'string' && isValidPercent(value).length === 0 && Number(value.slice(0, -1)) > 100
    ? [invalid(field, shown(value, { type: 'intOrString' }), 'must not be greater than 100%')]
    : [];

/**
 * Adds the errors of a value to `errors`. `seen`: the distinct values of the items before it in the same list; undefined: it is not in one.
 */
type Judge = (value: unknown, path: string, errors: FieldError[], seen?: Set<unknown>) => void;

const text =
  (problems: (value: string) => readonly string[]) =>
  (value: unknown, path: string): readonly FieldError[] =>
    problemsAt(problems(value as string), path, value);
/** A DNS name, or one with `*` as its whole first label. */
const isHostName = (host: string): readonly string[] => (host.includes('*') ? isWildcardDns1123Subdomain(host) : isDns1123Subdomain(host));

const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const SYSCTL_NAME = new RegExp(SYSCTL);

// Each check is called only with values of its type.
const FORMATS: Readonly<Record<Format, (value: never, path: string) => readonly FieldError[]>> = {
  label: text(isDns1123Label),
  'label-1035': text(isDns1035Label),
  subdomain: text(isDns1123Subdomain),
  'subdomain prefix': text(asPrefix(isDns1123Subdomain)),
  'host name': text(isHostName),
  'path segment': text(isValidPathSegmentName),
  'qualified name': text(isQualifiedName),
  'label name': validateLabelName,
  'label value': text(isValidLabelValue),
  'environment name': text(isEnvVarName),
  'config map key': text(isConfigMapKey),
  'header name': text(isHttpHeaderName),
  'port name': text(isValidPortName),
  ip: text(isValidIp),
  'reachable ip': (ip: string, path) => {
    const malformed = problemsAt(isValidIp(ip), path, ip);
    return malformed.length > 0 ? malformed : validateNonSpecialIp(ip, path);
  },
  address: text((ip) => (parseIp(ip) === undefined ? ['must be valid IP address'] : [])),
  sysctl: text((name) =>
    name.length > 253 || !SYSCTL_NAME.test(name) ? [`must have at most 253 characters and match regex ${SYSCTL}`] : [],
  ),
  'topology key': (key: string, path) => [...(key === '' ? [required(path, 'can not be empty')] : []), ...validateLabelName(key, path)],
  port: (value: number, path) => problemsAt(isValidPortNumber(value), path, value),
  'port or port name': (value: number | string, path) =>
    problemsAt(typeof value === 'number' ? isValidPortNumber(value) : isValidPortName(value), path, value),
  labels: validateLabels,
  'label selector': validateLabelSelector,
  'no backsteps': noBacksteps,
  'descending path': descendingPath,
  'file path': filePath,
  share: shareErrors,
  'share of all': (value: number | string, path) => [...shareErrors(value, path), ...excessErrors(value, path)],
  driver: driverNameErrors,
};

const judges = memo(new WeakMap<Schema, Judge | null>());

/** Returns the judge of a schema; undefined: there is nothing to judge. */
function judgeOf(schema: Schema): Judge | undefined {
  let judge = judges.get(schema);
  if (judge === undefined) judges.set(schema, (judge = compile(schema) ?? null));
  return judge ?? undefined;
}

function compile(schema: Schema): Judge | undefined {
  const parts = [...ofFacets(schema), ...ofParts(schema)];
  const { needed, distinct } = schema;
  if (parts.length === 0 && needed === undefined && distinct === undefined) return undefined;
  const words = needed === true ? '' : needed;
  const absent = schema.zero === true ? '' : undefined;
  const judge: Judge = (given, path, errors, seen) => {
    const value = given ?? absent;
    if (value === undefined || (words !== undefined && isEmpty(value))) {
      if (words !== undefined) errors.push(required(path, words));
    } else if (value !== '' || schema.empty !== true) for (const part of parts) part(value, path, errors, seen);
  };
  if (distinct === undefined) return judge;
  return (value, path, errors, seen) => {
    const before = errors.length;
    judge(value, path, errors);
    if (seen === undefined || value === undefined || (distinct === 'if valid' && errors.length > before)) return;
    if (seen.has(value)) errors.push(duplicate(path, value));
    seen.add(value);
  };
}

const isEmpty = (value: unknown): boolean => value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

function ofFacets(schema: Schema): readonly Judge[] {
  const { format, among, min, max, longest, words } = schema;
  const own: Judge[] = [];
  if (format !== undefined) own.push((value, path, errors) => append(errors, FORMATS[format](value as never, path)));
  if (among !== undefined)
    own.push((value, path, errors) => {
      if (!among.includes(value as string))
        errors.push(words === undefined ? notSupported(path, value, among) : invalid(path, value, words));
    });
  if (longest !== undefined)
    own.push((value, path, errors) => {
      if ((value as string).length > longest) errors.push(invalid(path, '', `can have at most ${longest} characters`));
    });
  const each = schema.type === 'list' ? own.map(ofItems) : own;
  if (words !== undefined && among === undefined) {
    const [low, high] = [limitOf(min, -Infinity), limitOf(max, Infinity)];
    each.push((value, path, errors) => {
      if ((value as number) < low || (value as number) > high) errors.push(invalid(path, value, words));
    });
    return each;
  }
  if (min !== undefined) each.push(bounded(min, 'greater', (value, limit) => value < limit));
  if (max !== undefined) each.push(bounded(max, 'less', (value, limit) => value > limit));
  return each;
}

/** Upstream names the list, not the item. */
const ofItems =
  (judge: Judge): Judge =>
  (value, path, errors) => {
    for (const item of value as readonly unknown[]) judge(item, path, errors);
  };

const limitOf = (bound: Bound | undefined, none: number): number => (typeof bound === 'object' ? bound[0] : (bound ?? none));

function bounded(bound: Bound, side: string, isBeyond: (value: number, limit: number) => boolean): Judge {
  const [limit, words] = typeof bound === 'object' ? bound : [bound, `must be ${side} than or equal to ${bound}`];
  return (value, path, errors) => {
    if (isBeyond(value as number, limit)) errors.push(invalid(path, value, words));
  };
}

function ofParts(schema: Schema): readonly Judge[] {
  if (schema.type === 'object') return (schema.order ?? Object.keys(schema.fields)).flatMap((name) => ofMember(schema, name));
  const judge = schema.type === 'list' ? judgeOf(schema.items) : undefined;
  if (judge === undefined) return [];
  const { unindexed } = schema;
  return [
    (value, path, errors) => {
      const seen = new Set();
      for (const [at, item] of (value as readonly unknown[]).entries())
        judge(item, unindexed === true ? path : `${path}[${at}]`, errors, seen);
    },
  ];
}

const othersOf = (schema: ObjectShape, named: ReadonlySet<string>): readonly (Judge | undefined)[] =>
  Object.keys(schema.fields).flatMap((name) => (named.has(name) ? [] : ofMember(schema, name)));

function ofMember({ fields }: ObjectShape, name: string): readonly Judge[] {
  const member = fields[name];
  const judge = member === undefined ? undefined : judgeOf(member);
  if (judge === undefined) return [];
  const spelt = member?.spelt ?? name;
  return [
    (value, path, errors, seen) => {
      judge(memberOf(value, name), spelt === '' ? path : below(path, spelt), errors, seen);
    },
  ];
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the errors of a value by the facets of its schema; with `members`: of these members alone. `path` is the path of the value. */
export function facetErrors(schema: Schema, value: unknown, path: string, ...members: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (members.length === 0) judgeOf(schema)?.(value, path, errors);
  else if (schema.type === 'object')
    for (const name of members)
      judgeOf(schema.fields[name] as Schema)?.(memberOf(value, name), below(path, schema.fields[name]?.spelt ?? name), errors);
  return errors;
}

/**
 * Returns the validation of one member of objects of a shape, by its path (`spec.replicas`), without the members of it in `except`.
 * @throws {Error} where the shape has no such member, or nothing is said of it.
 */
export function memberErrors(shape: ObjectShape, path: string, except: readonly string[] = []): (object: object) => readonly FieldError[] {
  const steps = path.split('.');
  let schema: Schema = shape;
  for (const step of steps) {
    const member: Schema | undefined = schema.type === 'object' ? schema.fields[step] : undefined;
    if (member === undefined) throw new Error(`${shape.go} has no member ${path}`);
    schema = member;
  }
  const judges = except.length > 0 && schema.type === 'object' ? othersOf(schema, new Set(except)) : [judgeOf(schema)];
  if (judges.includes(undefined)) throw new Error(`${shape.go}: nothing is said of what is valid of ${path}`);
  return (object) => {
    const errors: FieldError[] = [];
    const value = steps.reduce<unknown>(memberOf, object);
    for (const judge of judges) judge?.(value, path, errors);
    return errors;
  };
}

/** Returns the errors of changed members that must not change, in the order of the shape. `path` is the path of the value. */
export function fixedErrors(shape: ObjectShape, value: unknown, old: unknown, path = ''): FieldError[] {
  return (shape.order ?? Object.keys(shape.fields)).flatMap((name) => {
    const member = shape.fields[name];
    if (member === undefined) return [];
    const [now, before] = [memberOf(value, name), memberOf(old, name)];
    const at = below(path, name);
    if (member.fixed !== undefined)
      return sameValue(now ?? EMPTY[member.type], before ?? EMPTY[member.type]) ? [] : [changed(member, now, at)];
    return member.type === 'object' && holdsFixed(member) ? fixedErrors(member, now, before, at) : [];
  });
}

/** What Go prints of an absent value. */
const ZERO: Readonly<Record<string, unknown>> = { string: '', int32: 0, int64: 0 };

/** An absent mapping is an empty one. */
const EMPTY: Readonly<Record<string, unknown>> = { map: {} };

const holdsFixed = ({ fields }: ObjectShape): boolean => Object.values(fields).some(({ fixed }) => fixed !== undefined);

function changed(member: Schema, now: unknown, at: string): FieldError {
  const { as, go, words } = typeof member.fixed === 'object' ? member.fixed : {};
  if (words !== undefined) return forbidden(as ?? at, words);
  const value = now ?? (member.pointer === true ? undefined : ZERO[member.type]);
  if (member.type === 'time' || member.type === 'microTime') return invalid(as ?? at, shownInstant(value), immutableText);
  const isWhole = go !== undefined || (member.type === 'object' && member.go === 'LabelSelector');
  return invalid(as ?? at, isWhole && value !== undefined ? shown(value, member, go) : value, immutableText);
}
