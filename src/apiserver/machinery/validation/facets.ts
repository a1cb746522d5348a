/**
 * Validation by the facets of a schema, in upstream's words. What spans several fields is a function of the kind; the order of both is that
 * of the kind. Each schema is compiled once, and members without facets cost nothing.
 */
import {
  append,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isEnvVarName,
  isQualifiedName,
  isValidIp,
  isValidLabelValue,
  isValidPathSegmentName,
  isValidPortName,
  isValidPortNumber,
  validateLabels,
  validateLabelSelector,
  type LabelSelector,
} from '../../../schema/values/index.ts';
import type { Bound, Format, ObjectShape, Schema } from '../../../schema/shape/index.ts';
import type { FieldError } from '../status.ts';
import { driverNameErrors, forbidden, immutableText, invalid, notSupported, problemsAt, required } from './field-errors.ts';
import { labelSelectorType, shown } from './go-shapes.ts';
import { descendingPath, noBacksteps } from './paths.ts';
import { sameValue } from './same-value.ts';

/** Adds the errors of a value to `errors`. */
type Judge = (value: unknown, path: string, errors: FieldError[]) => void;

const text =
  (problems: (value: string) => readonly string[]) =>
  (value: unknown, path: string): readonly FieldError[] =>
    problemsAt(problems(value as string), path, value);

const FORMATS: Readonly<Record<Format, (value: unknown, path: string) => readonly FieldError[]>> = {
  label: text(isDns1123Label),
  'label-1035': text(isDns1035Label),
  subdomain: text(isDns1123Subdomain),
  'path segment': text(isValidPathSegmentName),
  'qualified name': text(isQualifiedName),
  'label value': text(isValidLabelValue),
  'environment name': text(isEnvVarName),
  'config map key': text(isConfigMapKey),
  'port name': text(isValidPortName),
  ip: text(isValidIp),
  port: (value, path) => problemsAt(isValidPortNumber(value as number), path, value),
  'port or port name': (value, path) =>
    problemsAt(typeof value === 'number' ? isValidPortNumber(value) : isValidPortName(value as string), path, value),
  labels: (value, path) => validateLabels(value as Readonly<Record<string, string>>, path),
  'label selector': (value, path) => validateLabelSelector(value as LabelSelector, path),
  'no backsteps': (value, path) => noBacksteps(value as string, path),
  'descending path': (value, path) => descendingPath(value as string, path),
  driver: (value, path) => driverNameErrors(value as string, path),
};

const judges = new WeakMap<Schema, Judge | null>();

/** Returns the judge of a schema; undefined: there is nothing to judge. */
function judgeOf(schema: Schema): Judge | undefined {
  let judge = judges.get(schema);
  if (judge === undefined) judges.set(schema, (judge = compile(schema) ?? null));
  return judge ?? undefined;
}

function compile(schema: Schema): Judge | undefined {
  const parts = [...ofFacets(schema), ...ofParts(schema)];
  const { needed } = schema;
  if (parts.length === 0 && needed === undefined) return undefined;
  const words = needed === true ? '' : needed;
  return (value, path, errors) => {
    if (value === undefined || value === null || (words !== undefined && isEmpty(value))) {
      if (words !== undefined) errors.push(required(path, words));
    } else for (const part of parts) part(value, path, errors);
  };
}

const isEmpty = (value: unknown): boolean => value === '' || value === 0 || (Array.isArray(value) && value.length === 0);

function ofFacets(schema: Schema): readonly Judge[] {
  const { format, among, min, max, range } = schema;
  const own: Judge[] = [];
  if (format !== undefined) own.push((value, path, errors) => append(errors, FORMATS[format](value, path)));
  if (among !== undefined)
    own.push((value, path, errors) => {
      if (!among.includes(value as string)) errors.push(notSupported(path, value, among));
    });
  const each = schema.type === 'list' ? own.map(ofItems) : own;
  if (range !== undefined) {
    const [low, high] = [limitOf(min, -Infinity), limitOf(max, Infinity)];
    each.push((value, path, errors) => {
      if ((value as number) < low || (value as number) > high) errors.push(invalid(path, value, range));
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

/** The judges of members and items. */
function ofParts(schema: Schema): readonly Judge[] {
  if (schema.type === 'list') {
    const judge = judgeOf(schema.items);
    if (judge === undefined) return [];
    return [
      (value, path, errors) => {
        for (const [at, item] of (value as readonly unknown[]).entries()) judge(item, `${path}[${at}]`, errors);
      },
    ];
  }
  if (schema.type !== 'object') return [];
  return (schema.order ?? Object.keys(schema.fields)).flatMap((name) => {
    const member = schema.fields[name];
    const judge = member === undefined ? undefined : judgeOf(member);
    if (judge === undefined) return [];
    const ofMember: Judge = (value, path, errors) => {
      judge(memberOf(value, name), below(path, name), errors);
    };
    return [ofMember];
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Returns the errors of a value by the facets of its schema. `path` is the path of the value. */
export function facetErrors(schema: Schema, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = [];
  judgeOf(schema)?.(value, path, errors);
  return errors;
}

/**
 * Returns the validation of one member of objects of a shape, by its path (`spec.replicas`).
 * @throws {Error} where the shape has no such member, or nothing is said of it.
 */
export function memberErrors(shape: ObjectShape, path: string): (object: object) => readonly FieldError[] {
  const steps = path.split('.');
  let schema: Schema = shape;
  for (const step of steps) {
    const member: Schema | undefined = schema.type === 'object' ? schema.fields[step] : undefined;
    if (member === undefined) throw new Error(`${shape.go} has no member ${path}`);
    schema = member;
  }
  const judge = judgeOf(schema);
  if (judge === undefined) throw new Error(`${shape.go}: nothing is said of what is valid of ${path}`);
  return (object) => {
    const errors: FieldError[] = [];
    judge(steps.reduce<unknown>(memberOf, object), path, errors);
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

/** An absent mapping is an empty one. */
const EMPTY: Readonly<Record<string, unknown>> = { map: {} };

const holdsFixed = ({ fields }: ObjectShape): boolean => Object.values(fields).some(({ fixed }) => fixed !== undefined);

function changed(member: Schema, now: unknown, at: string): FieldError {
  const { as, shown: type, words } = typeof member.fixed === 'object' ? member.fixed : {};
  if (words !== undefined) return forbidden(as ?? at, words);
  const value = now ?? (member.type === 'string' && member.pointer !== true ? '' : undefined);
  const go = type ?? (member.type === 'object' && member.go === 'LabelSelector' ? labelSelectorType : undefined);
  return invalid(as ?? at, go === undefined || value === undefined ? value : shown(value, go), immutableText);
}
