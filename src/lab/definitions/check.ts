/** Checks of a user's definitions: all problems are found before any definition is used. */
import { OrchsimError } from '../../engine/error.ts';
import type { CustomKind, KindRegistry } from '../../apiserver/kinds/index.ts';
import { type Names, namesFor } from '../../apiserver/machinery/index.ts';
import { controllers as registeredControllers } from '../../controlplane/controllers/index.ts';
import { didYouMean, isMapping, membersOf } from '../../schema/values/index.ts';
import { faults as registeredFaults } from '../faults/index.ts';
import { invariants as registeredInvariants } from '../invariants/index.ts';
import { type Definitions, kindsWith } from './definitions.ts';

/** A problem of a definition: its path, and a message. */
export interface DefinitionProblem {
  /** `controllers[0] (tidier)`. */
  readonly path: string;
  readonly message: string;
}

const PARTS = ['controllers', 'faults', 'invariants', 'kinds', 'without'] as const;

const inOrder = new WeakSet<object>();

/**
 * Returns the problems of a value that should be definitions; empty: there are none. `beside`: kinds that other sources add to the same
 * run, which the definitions may refer to.
 */
export function problemsOf(value: unknown, beside: readonly CustomKind[] = []): readonly DefinitionProblem[] {
  if (!isMapping(value)) return [{ path: '', message: `expected { controllers, invariants, faults, kinds }, found ${shown(value)}` }];
  if (inOrder.has(value)) return [];
  const problems = [...misnamed(value), ...PARTS.flatMap((part) => notAList(value, part))];
  if (problems.length > 0) return problems;
  const found = problemsIn(value, beside);
  // Definitions that depend on kinds of other sources may have problems without them.
  if (found.length === 0 && beside.length === 0) inOrder.add(value);
  return found;
}

/**
 * Returns the definitions when they have no problems.
 *
 * @throws OrchsimError ORCH_DEFINITION with all problems.
 */
export function checkedDefinitions(value: Definitions): Definitions {
  const problems = problemsOf(value);
  if (problems.length > 0)
    throw new OrchsimError(
      'ORCH_DEFINITION',
      problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'),
    );
  return value;
}

const misnamed = (value: object): readonly DefinitionProblem[] =>
  Object.keys(value)
    .filter((key) => key !== 'locate' && !(PARTS as readonly string[]).includes(key))
    .map((key) => ({ path: key, message: `expected one of ${PARTS.join(', ')}${didYouMean(key, PARTS)}` }));

function notAList(value: object, part: string): readonly DefinitionProblem[] {
  const list: unknown = Object.hasOwn(value, part) ? (value as Record<string, unknown>)[part] : undefined;
  return list === undefined || Array.isArray(list) ? [] : [{ path: part, message: `expected a list, found ${shown(list)}` }];
}

function problemsIn(definitions: Definitions, beside: readonly CustomKind[]): readonly DefinitionProblem[] {
  const builtIn = kindsWith(namesFor('orch.io'), {});
  const kinds = check('kinds', definitions.kinds ?? [], kindRules(namesFor('orch.io')), { taken: builtIn.list().map(({ kind }) => kind) });
  // References to kinds can be checked only when all kinds are correct.
  if (kinds.length > 0) return kinds;
  const all = kindsWith(namesFor('orch.io'), { kinds: [...beside, ...(definitions.kinds ?? [])] });
  const kindNames = all.list().map(({ kind }) => kind);
  const left = registeredControllers(builtIn).map(({ name }) => name);
  const without: readonly unknown[] = definitions.without ?? [];
  const { controllers = [], invariants = [], faults = [] } = definitions;
  return [
    ...without.flatMap((name, at) =>
      typeof name === 'string' && left.includes(name)
        ? []
        : [
            {
              path: `without[${at}]`,
              message: `no built-in controller is named ${shown(name)}${typeof name === 'string' ? didYouMean(name, left) : ''}`,
            },
          ],
    ),
    ...check('controllers', made(controllers, all), controllerRules(kindNames), {
      taken: left.filter((name) => !without.includes(name)),
      remedy: 'choose another name, or name it in `without` to put yours in its place',
    }),
    ...check('invariants', invariants, invariantRules(kindNames), { taken: registeredInvariants.map(({ name }) => name) }),
    ...check('faults', faults, faultRules(), { taken: registeredFaults.map(({ name }) => name) }),
  ];
}

/** Returns the controllers; those given as functions of the kinds are constructed. */
const made = (controllers: readonly unknown[], kinds: KindRegistry): readonly unknown[] =>
  controllers.map((each) => (typeof each === 'function' ? (each as (kinds: KindRegistry) => unknown)(kinds) : each));

interface Taken {
  readonly taken: readonly string[];
  readonly remedy?: string;
}

function check(
  part: string,
  list: readonly unknown[],
  { id, wrong, of }: Rules,
  { taken, remedy = 'choose another name' }: Taken,
): readonly DefinitionProblem[] {
  const names = new Map<string, string>(taken.map((name) => [name, 'a built-in one']));
  return list.flatMap((given, at) => {
    const path = `${part}[${at}]`;
    const definition = of === undefined ? given : of(given);
    if (!isMapping(definition))
      return [{ path, message: `expected ${id === 'kind' ? 'a kind' : `an object with a ${id}`}, found ${shown(definition)}` }];
    const name = definition[id];
    if (typeof name !== 'string' || name === '') return [{ path, message: `expected a ${id}, found ${shown(name)}` }];
    const other = names.get(name);
    names.set(name, path);
    const messages = [...(other === undefined ? [] : [`the name is taken by ${other}: ${remedy}`]), ...wrong(definition)];
    return messages.map((message) => ({ path: `${path} (${name})`, message }));
  });
}

export type Given = Readonly<Record<string, unknown>>;

export interface Rules {
  /** The member that names a definition of this part. */
  readonly id: string;
  wrong(definition: Given): readonly string[];
  /** Returns the object to check, where the definition is a function that makes it. */
  of?(definition: unknown): unknown;
}

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'function') return 'a function';
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

const controllerRules = (kinds: readonly string[]): Rules => ({
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

const invariantRules = (kinds: readonly string[]): Rules => ({
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

const faultRules = (): Rules => ({
  id: 'name',
  wrong: (given) => [
    ...wanted(given, 'description', 'one sentence for people', isText),
    ...wanted(given, 'subject', "a field, such as { type: 'string', description: 'A process.' }", isField),
    ...parameters(given['parameters']),
    ...wanted(given, 'apply', 'a function that returns { detail } or { error }', isFunction),
  ],
});

const isField = (value: unknown): boolean => isText(membersOf(value)['type']) && isText(membersOf(value)['description']);

function parameters(given: unknown): readonly string[] {
  if (!isMapping(given)) return [`parameters: expected fields by name, {} for none, found ${shown(given)}`];
  return Object.entries(given).flatMap(([name, field]) =>
    isField(field)
      ? []
      : [`parameters.${name}: expected a field, such as { type: 'duration', description: 'For how long.' }, found ${shown(field)}`],
  );
}

const PLURAL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const VERSION = /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/;

const kindRules = (names: Names): Rules => ({
  id: 'kind',
  of: (definition) => (typeof definition === 'function' ? (definition as (names: Names) => unknown)(names) : definition),
  wrong: (given) => [
    ...wanted(given, 'plural', 'lower-case letters, such as widgets', (value) => typeof value === 'string' && PLURAL.test(value)),
    ...wanted(given, 'version', 'a version such as v1 or v1beta1', (value) => typeof value === 'string' && VERSION.test(value)),
    ...wanted(given, 'groupPrefix', 'the group', (value) => typeof value === 'string'),
    ...wanted(given, 'namespaced', 'true or false', (value) => typeof value === 'boolean'),
    ...wanted(given, 'schema', "a shape: obj('Widget', { ...typeMeta, spec: … })", (value) => membersOf(value)['type'] === 'object'),
    ...wanted(given, 'columns', 'a list of columns', isList),
    ...wanted(given, 'validate', 'a function (defineKind and customResource give one)', isFunction),
    ...wanted(given, 'validateUpdate', 'a function (defineKind and customResource give one)', isFunction),
  ],
});
