/** Checks of the arguments of public functions. They run before the function does anything. */
import { OrchsimError } from '../../engine/error.ts';
import { didYouMean } from '../../schema/values/index.ts';

/** Checks one argument. Returns a message, or undefined when the argument is valid. */
export type Check = (value: unknown, path: string) => string | undefined;

/** Throws ORCH_ARGUMENT with all problems. `name` is the function as users call it. */
export function refuse(name: string, ...problems: readonly (string | undefined)[]): void {
  const found = problems.flatMap((problem) => problem ?? []);
  if (found.length > 0) throw new OrchsimError('ORCH_ARGUMENT', found.map((each) => `${name}: ${each}`).join('\n'));
}

/** Returns a function that first checks its arguments, by name in their order. */
export const checked = <F extends (...given: never[]) => unknown>(name: string, act: F, checks: Readonly<Record<string, Check>>): F =>
  ((...given: Parameters<F>) => {
    refuse(name, ...Object.entries(checks).map(([path, check], at) => check(given[at], path)));
    return act(...given);
  }) as F;

export const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);

/** Checks for a value of this `typeof`. `hint` says how to obtain one. */
export const being =
  (type: 'string' | 'boolean' | 'function', hint = ''): Check =>
  (value, path) =>
    typeof value === type ? undefined : `${path}: expected a ${type}${hint}, found ${shown(value)}`;

export const text = being('string');
export const flag = being('boolean');
export const callback = being('function');

/** Checks for an integer of at least `least`. */
export const integer =
  (least: number): Check =>
  (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= least
      ? undefined
      : `${path}: expected an integer of at least ${least}, found ${shown(value)}`;

/** Checks for a plain object that has these members. `hint` says how to obtain one. */
export const having =
  (members: readonly string[], hint: string): Check =>
  (value, path) => {
    if (!isObject(value)) return `${path}: expected ${hint}, found ${shown(value)}`;
    const lacking = members.filter((member) => !(member in value));
    return lacking.length === 0 ? undefined : `${path}: expected ${hint}, found an object without ${lacking.join(', ')}`;
  };

export const listOf =
  (each: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? value.map((item, at) => each(item, `${path}[${at}]`)).find((problem) => problem !== undefined)
      : `${path}: expected a list, found ${shown(value)}`;

export const anything: Check = () => undefined;

/** Checks for an object of options: each name must be known, and each value valid. `undefined` counts as an omitted option. */
export const options =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (value === undefined) return undefined;
    if (!isObject(value)) return `${path}: expected an object, found ${shown(value)}`;
    const problems = Object.entries(value).flatMap(([name, given]) => {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check === undefined) return `${path}.${name}: no such option${didYouMean(name, Object.keys(checks))}`;
      return given === undefined ? [] : (check(given, `${path}.${name}`) ?? []);
    });
    return problems.length === 0 ? undefined : problems.join('; ');
  };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a value in the short form that errors show. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const written = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return written.length > MOST_SHOWN ? `${written.slice(0, MOST_SHOWN)}…` : written;
}

const MOST_SHOWN = 40;
