/**
 * Objects that are read through functions, many of one shape. An object literal with `get` in it has a hidden class of its own each time it
 * is evaluated, which holds the function and all that it sees: code that met one of them knows nothing of the next, and none of them leaves
 * memory before a full collection. Where more than a handful are made, accessors belong on a shared prototype.
 */

const READ = Symbol('read');

/**
 * What makes objects that have these accessors: of the functions that answer what each reads, by name, and of all their other members.
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

/** The commonest of them: how many there are, and the time. */
export const withSize = accessors('size');
export const withNow = accessors('now');
