/**
 * What is computed once, or when it is read, or not at all. A memory is remembered only because computing it again takes time. Forgetting one
 * at any moment between two events changes no run, so a memory is no state of a world. `test/layers/lasting.ts` accepts no other weak tables
 * and no other tables of modules that change, and `test/lab/forgotten.test.ts` forgets all memories at random moments of runs. An accessor
 * computes a member whenever it is read. Long lists change by a few items at a time: only these are looked at.
 */

/**
 * Declares an empty record or table to be a memory, and returns it. Its members have the values that mean nothing is remembered; what
 * belongs together is one record, because it is forgotten together.
 */
export const memo = <M extends object>(empty: M): M => empty;

/** Declares a record or buffer to be used only within a call, and returns it: what it has between two calls means nothing. */
export const scratch = <M extends object>(unused: M): M => memo(unused);

/** Returns a pure function that remembers the result of its last argument, compared by identity. */
export function lastOf<K, V>(make: (key: K) => V): (key: K) => V {
  const last = memo<{ known: { readonly key: K; readonly value: V } | undefined }>({ known: undefined });
  return (key) => {
    if (last.known === undefined || last.known.key !== key) last.known = { key, value: make(key) };
    return last.known.value;
  };
}

/** Returns a function of objects that computes each result once. `more` follows from the object, or from the run. */
export function perObject<K extends object, V, M = void>(make: (object: K, more: M) => V): (object: K, more: M) => V {
  const made = memo(new WeakMap<K, V>());
  return (object, more) => {
    let value = made.get(object);
    if (value === undefined) made.set(object, (value = make(object, more)));
    return value;
  };
}

const READ = Symbol('read');

/**
 * Returns a constructor of objects with the accessors `names`, on a shared prototype. The constructor takes the functions that compute each
 * accessor, by name, and all other members. An object literal with `get` in it gets a new hidden class at each evaluation. This class holds
 * the function and its closure, makes its call sites megamorphic, and leaves memory only in a full collection.
 */
export function accessors<N extends string>(
  ...names: readonly N[]
): <F extends { readonly [K in N]: unknown }>(read: { readonly [K in N]: () => F[K] }, members: Omit<F, N>) => F {
  const shared = {};
  for (const name of names) {
    Object.defineProperty(shared, name, {
      enumerable: true,
      get(this: { readonly [READ]: { readonly [K in N]: () => unknown } }) {
        return this[READ][name]();
      },
    });
  }
  return <F extends { readonly [K in N]: unknown }>(read: { readonly [K in N]: () => F[K] }, members: Omit<F, N>) => {
    const made: unknown = Object.create(shared);
    return Object.assign(made as F, members, { [READ]: read });
  };
}

/** The most frequent accessor: `now`. */
export const withNow = accessors('now');

/** The items of a list in `[from, to)`; all others are those of the former list, at the same place from either end. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** From this length on, comparing two lists costs less than looking at their items. */
export const LONG_LIST = 32;

/** Returns the place of the items that the former list does not have there; without a former list, that of all items. */
export function newItems(list: readonly unknown[], before: readonly unknown[] | null | undefined): Span {
  let to = list.length;
  if (before === undefined || before === null) return { from: 0, to };
  let from = 0;
  let last = before.length;
  while (from < to && from < last && list[from] === before[from]) from++;
  while (to > from && last > from && list[to - 1] === before[last - 1]) {
    to--;
    last--;
  }
  return { from, to };
}
