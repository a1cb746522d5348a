/** A cache of one value, for functions that are called many times in a row with the same argument. */

/** Returns a pure function that caches the result of its last argument, compared by identity. */
export function lastOf<K, V>(make: (key: K) => V): (key: K) => V {
  let known: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (known === undefined || known.key !== key) known = { key, value: make(key) };
    return known.value;
  };
}
