/** The rules of each part of a user's definitions: controllers, invariants, faults, kinds. */
import type { Names } from '../../apiserver/machinery/index.ts';
import { didYouMean } from '../../schema/values/index.ts';

/** A definition before any check. */
export type Given = Readonly<Record<string, unknown>>;

export interface Rules {
  /** The member that names a definition of this part. */
  readonly id: string;
  /** Returns all problems of a definition; empty: there are none. */
  wrong(definition: Given): readonly string[];
  /** Returns the object to check, where the definition is a function that makes it. */
  of?(definition: unknown): unknown;
}

/** Formats a value for a message. */
export const shown = (value: unknown): string => {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' || typeof value === 'function') return typeof value === 'object' ? 'an object' : 'a function';
  return JSON.stringify(value) ?? String(value);
};

const wanted = (given: Given, member: string, what: string, fits: (value: unknown) => boolean): readonly string[] =>
  fits(given[member]) ? [] : [`${member}: expected ${what}, found ${shown(given[member])}`];

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isFunction = (value: unknown): boolean => typeof value === 'function';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const optional =
  (fits: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || fits(value);

/** Returns a problem for each member of a list that is no kind. */
function unknownKinds(list: unknown, member: string, kinds: readonly string[]): readonly string[] {
  if (list === undefined) return [];
  if (!isList(list)) return [`${member}: expected a list of kinds, found ${shown(list)}`];
  return list.flatMap((kind) => unknownKind(kind, member, kinds));
}

const unknownKind = (kind: unknown, member: string, kinds: readonly string[]): readonly string[] =>
  typeof kind === 'string' && kinds.includes(kind)
    ? []
    : [`${member}: there is no kind ${shown(kind)}${typeof kind === 'string' ? didYouMean(kind, kinds) : ''}`];

const HOOKS = ['start', 'observe', 'act', 'startKeys', 'stop', 'reconcileAbsent', 'resume', 'recover'] as const;

export const controllerRules = (kinds: readonly string[]): Rules => ({
  id: 'name',
  wrong: (given) => [
    ...(given['reconciles'] === undefined ? [] : unknownKind(given['reconciles'], 'reconciles', kinds)),
    ...(given['writes'] === undefined
      ? ['writes: expected the kinds that it may write, found nothing']
      : unknownKinds(given['writes'], 'writes', kinds)),
    ...watches(given['watches'], kinds),
    ...wanted(given, 'reconcile', 'a function that returns { why, writes }', isFunction),
    ...HOOKS.flatMap((hook) => wanted(given, hook, 'a function', optional(isFunction))),
  ],
});

function watches(list: unknown, kinds: readonly string[]): readonly string[] {
  if (list === undefined) return [];
  if (!isList(list)) return [`watches: expected a list such as [watch('Pod')], found ${shown(list)}`];
  return list.flatMap((each, at) =>
    typeof each === 'object' && each !== null && 'kind' in each
      ? unknownKind(each.kind, `watches[${at}]`, kinds)
      : [`watches[${at}]: expected watch('Pod'), found ${shown(each)}`],
  );
}

const TEMPORALS: readonly unknown[] = ['always', 'eventually', 'stable', 'sometimes'];

export const invariantRules = (kinds: readonly string[]): Rules => ({
  id: 'name',
  wrong: (given) => [
    ...wanted(given, 'temporal', 'always, eventually, stable or sometimes', (value) => TEMPORALS.includes(value)),
    ...wanted(given, 'description', 'one sentence for people', isText),
    ...(given['kinds'] === undefined
      ? ['kinds: expected the kinds whose changes it checks, found nothing']
      : unknownKinds(given['kinds'], 'kinds', ['*', ...kinds])),
    ...wanted(given, 'check', 'a function that returns a checker', isFunction),
  ],
});

export const faultRules = (): Rules => ({
  id: 'name',
  wrong: (given) => [
    ...wanted(given, 'description', 'one sentence for people', isText),
    ...wanted(given, 'subject', "a field, such as { type: 'string', description: 'A process.' }", isField),
    ...parameters(given['parameters']),
    ...wanted(given, 'apply', 'a function that returns { detail } or { error }', isFunction),
  ],
});

const isField = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  isText(value.type) &&
  'description' in value &&
  isText(value.description);

function parameters(given: unknown): readonly string[] {
  if (typeof given !== 'object' || given === null || isList(given))
    return [`parameters: expected fields by name, {} for none, found ${shown(given)}`];
  return Object.entries(given).flatMap(([name, field]) =>
    isField(field)
      ? []
      : [`parameters.${name}: expected a field, such as { type: 'duration', description: 'For how long.' }, found ${shown(field)}`],
  );
}

const PLURAL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const VERSION = /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/;

export const kindRules = (names: Names): Rules => ({
  id: 'kind',
  of: (definition) => (typeof definition === 'function' ? (definition as (names: Names) => unknown)(names) : definition),
  wrong: (given) => [
    ...wanted(given, 'plural', 'lower-case letters, such as widgets', (value) => typeof value === 'string' && PLURAL.test(value)),
    ...wanted(given, 'version', 'a version such as v1 or v1beta1', (value) => typeof value === 'string' && VERSION.test(value)),
    ...wanted(given, 'groupPrefix', 'the group', (value) => typeof value === 'string'),
    ...wanted(given, 'namespaced', 'true or false', (value) => typeof value === 'boolean'),
    ...wanted(
      given,
      'schema',
      "a shape: obj('Widget', { ...typeMeta, spec: … })",
      (value) => typeof value === 'object' && value !== null && 'type' in value && value.type === 'object',
    ),
    ...wanted(given, 'columns', 'a list of columns', isList),
    ...wanted(given, 'validate', 'a function (defineKind and customResource give one)', isFunction),
    ...wanted(given, 'validateUpdate', 'a function (defineKind and customResource give one)', isFunction),
  ],
});
