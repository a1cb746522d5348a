/**
 * Constructors of field errors. Models: v1.24 apimachinery pkg/util/validation/field. Parts that objects share by reference: those of a
 * template, the items of a long list. They are compared and validated once.
 */
import { memo, newItems } from '../../engine/index.ts';
import { byteLength, forbidden, invalid, isDns1123Subdomain, repeats, required } from '../../schema/values/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';

export { forbidden, invalid, required } from '../../schema/values/index.ts';

export const MAX_INT32 = 2147483647;
export const inclusiveRange = (high: number): string => `must be between 0 and ${high}, inclusive`;

/** Upstream's words for the change of a field that cannot be changed. */
export const immutableText = 'field is immutable';

/** After this many errors, rules about pairs stop: a refusal prints fewer. */
export const ENOUGH_ERRORS = 10_000;

/** Returns the error that a value is not among the supported ones, which are listed in the given order. */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map((one) => JSON.stringify(one)).join(', ')}`,
});
/** Returns the error that a value is repeated; `field` is the path of the repetition, `spec.items[1]`. */
export const duplicate = (field: string, value: unknown): FieldError => ({ type: 'Duplicate', field, value, detail: '' });
/** Returns the error that a referenced object does not exist. */
export const notFound = (field: string, value: unknown): FieldError => ({ type: 'NotFound', field, value, detail: '' });
/** Returns the error of a check that failed itself. */
export const internal = (field: string, detail: string): FieldError => ({ type: 'Internal', field, detail });
/** Returns the error that a value has more than `max` bytes. */
export const tooLong = (field: string, value: unknown, max: number): FieldError => ({
  type: 'TooLong',
  field,
  value,
  detail: `must have at most ${max} bytes`,
});
/** Returns the error that a list has more than `max` items. */
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'TooMany',
  field,
  value: actual,
  detail: `must have at most ${max} items`,
});

/** Returns an error for each problem of a value. */
export const problemsAt = (problems: readonly string[], field: string, value: unknown): FieldError[] =>
  problems.map((problem) => invalid(field, value, problem));

/** Returns an error for each repeated item, at the index of the repetition; `keyOf` returns equal texts for equal items. */
export function repeatedErrors<T>(
  items: readonly T[] | null | undefined,
  field: string,
  keyOf: (item: T) => string = String,
  errorOf: (field: string, item: T) => FieldError = duplicate,
): FieldError[] {
  if (items === null || items === undefined || items.length < 2) return [];
  const seenBefore = repeats<string>();
  return items.flatMap((item, at) => (seenBefore(keyOf(item)) ? [errorOf(`${field}[${at}]`, item)] : []));
}

/** Driver names are parts of host names. */
const MAX_DRIVER_NAME = 63;

/** Returns the errors of the name of a storage driver. */
export const driverNameErrors = (name: string, field: string): FieldError[] => [
  ...(name === '' ? [required(field)] : []),
  ...(byteLength(name) > MAX_DRIVER_NAME ? [tooLong(field, name, MAX_DRIVER_NAME)] : []),
  ...problemsAt(isDns1123Subdomain(name.toLowerCase()), field, name),
];

/** Returns the errors of all items, each judged with its path. */
export const ofEach = <T>(
  items: readonly T[] | null | undefined,
  path: string,
  judge: (item: T, path: string) => readonly FieldError[],
): FieldError[] => (items ?? []).flatMap((item, at) => judge(item, `${path}[${at}]`));

/** The same without the items that a former list has, which are valid. */
export function ofNewItems<T>(
  items: readonly T[] | null | undefined,
  before: readonly T[] | null | undefined,
  path: string,
  judge: (item: T, path: string) => readonly FieldError[],
): FieldError[] {
  const { from, to } = newItems(items ?? [], before);
  return (items ?? []).slice(from, to).flatMap((item, at) => judge(item, `${path}[${from + at}]`));
}

/** How such a struct is judged. */
interface SoleMember<K extends string> {
  /** The members in the order in which they are judged. */
  readonly names: readonly K[];
  /** The words of the errors for a further member, and for none. */
  readonly most: string;
  readonly none: string;
  /** Upstream's spelling of a member in the error for a further one. */
  readonly spelt?: Readonly<Record<string, string>>;
  /** A member that may be there besides another one. */
  readonly besides?: K;
}

/** Returns the errors of the first member that is set, and of further ones. `judge` is told whether it is the first. */
export function soleMemberErrors<K extends string>(
  value: { readonly [N in K]?: unknown },
  field: string,
  { names, most, none, spelt = {}, besides }: SoleMember<K>,
  judge: (name: K, path: string, isSole: boolean) => readonly FieldError[],
): FieldError[] {
  const given = names.filter((name) => value[name] !== undefined);
  if (given.length === 0) return [required(field, none)];
  return given.flatMap((name, at) => {
    const isSole = at === 0 || name === besides;
    return [...(isSole ? [] : [forbidden(`${field}.${spelt[name] ?? name}`, most)]), ...judge(name, `${field}.${name}`, isSole)];
  });
}

export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!sameValue(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  let count = 0;
  for (const key in left) {
    const value = left[key];
    if (value === undefined) continue;
    if (!sameValue(value, right[key])) return false;
    count++;
  }
  for (const key in right) if (right[key] !== undefined) count--;
  return count === 0;
}

/** By the input of the validation besides the part. */
const valid = memo(new Map<string, WeakSet<object>>());

/**
 * Returns the errors of a shared part, which is validated once. `also`: the input of the validation besides the part and the names of the
 * domain.
 */
export function validateOnce(part: object, context: KindContext, check: () => FieldError[], also = ''): FieldError[] {
  const under = also === '' ? context.names.domain : `${context.names.domain} ${also}`;
  let right = valid.get(under);
  if (right === undefined) valid.set(under, (right = memo(new WeakSet())));
  if (right.has(part)) return [];
  const errors = check();
  // A part that is not frozen may change.
  if (errors.length === 0 && Object.isFrozen(part)) right.add(part);
  return errors;
}
