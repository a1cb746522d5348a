/** The memory of one value: for what is asked many times in a row about the same thing. */

/** Remembers what a pure function made of its last argument, told by identity. */
export function lastOf<K, V>(make: (key: K) => V): (key: K) => V {
  let known: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (known === undefined || known.key !== key) known = { key, value: make(key) };
    return known.value;
  };
}
