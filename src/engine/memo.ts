/**
 * Memories: what is remembered only because computing it again takes time. Forgetting one at any moment between two events changes no run,
 * so a memory is no state of a world. `test/layers/lasting.ts` accepts no other weak tables and no other tables of modules that change, and
 * `test/lab/forgotten.test.ts` forgets all memories at random moments of runs.
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
