/**
 * Accessors on a shared prototype. An object literal with `get` in it gets a new hidden class at each evaluation. This class holds the
 * function and its closure, makes its call sites megamorphic, and leaves memory only in a full collection. Objects that exist in large
 * numbers therefore take their accessors from here.
 */

const READ = Symbol('read');

/**
 * Returns a constructor of objects with the accessors `names`. The constructor takes the functions that compute each accessor, by name, and
 * all other members.
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
