/** Checks of a user's definitions: all problems are found before any definition is used. */
import { OrchsimError } from '../../engine/error.ts';
import type { KindRegistry, CustomKind } from '../../apiserver/kinds/index.ts';
import { namesFor } from '../../apiserver/machinery/index.ts';
import { controllers as registeredControllers } from '../../controlplane/controllers/index.ts';
import { didYouMean } from '../../schema/values/index.ts';
import { faults as registeredFaults } from '../faults/index.ts';
import { invariants as registeredInvariants } from '../invariants/index.ts';
import { kindsWith, type Definitions } from './definitions.ts';
import { controllerRules, faultRules, invariantRules, kindRules, shown, type Rules } from './rules.ts';

/** A problem of a definition: its path, and a message. */
export interface DefinitionProblem {
  /** `controllers[0] (tidier)`. */
  readonly path: string;
  readonly message: string;
}

const PARTS = ['controllers', 'faults', 'invariants', 'kinds', 'without'] as const;

/** Memo of definitions without problems. */
const inOrder = new WeakSet<object>();

/**
 * Returns the problems of a value that should be definitions; empty: there are none. `beside`: kinds that other sources add to the same
 * run, which the definitions may refer to.
 */
export function problemsOf(value: unknown, beside: readonly CustomKind[] = []): readonly DefinitionProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ path: '', message: `expected { controllers, invariants, faults, kinds }, found ${shown(value)}` }];
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
  /** The remedy for a name that is taken. */
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
    if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
      return [{ path, message: `expected ${id === 'kind' ? 'a kind' : `an object with a ${id}`}, found ${shown(definition)}` }];
    const fields = definition as Readonly<Record<string, unknown>>;
    const name = fields[id];
    if (typeof name !== 'string' || name === '') return [{ path, message: `expected a ${id}, found ${shown(name)}` }];
    const other = names.get(name);
    names.set(name, path);
    const messages = [...(other === undefined ? [] : [`the name is taken by ${other}: ${remedy}`]), ...wrong(fields)];
    return messages.map((message) => ({ path: `${path} (${name})`, message }));
  });
}
