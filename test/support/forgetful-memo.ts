/** What `memo` of the engine is in the build that can forget: it notes each memory, so that `forgetAll` can empty it. */

type Forget = (memory: object) => void;
/** Those of runs that are over are collected. */
let noted: { readonly memory: WeakRef<object>; readonly forget: Forget }[] = [];

/** Forgets all memories; returns how many there are. */
export function forgetAll(): number {
  noted = noted.filter(({ memory, forget }) => {
    const there = memory.deref();
    if (there !== undefined) forget(there);
    return there !== undefined;
  });
  return noted.length;
}

export function memo<M extends object>(empty: M): M {
  noted.push({ memory: new WeakRef(empty), forget: forgetting(empty) });
  return empty;
}

/** Returns what gives a record or table the members that it has now. */
function forgetting(empty: object): Forget {
  if (empty instanceof WeakMap || empty instanceof WeakSet) return forgettingWeak(empty);
  if (empty instanceof RegExp) return (memory) => void ((memory as RegExp).lastIndex = 0);
  if (empty instanceof Set) return (memory) => (memory as Set<unknown>).clear();
  if (empty instanceof Map) {
    const first = [...empty];
    return (memory) => {
      const table = memory as Map<unknown, unknown>;
      table.clear();
      for (const [key, value] of first) table.set(key, value);
    };
  }
  const first = Object.entries(empty);
  const inside = first.flatMap(([, value]) => (isTable(value) ? [[value, forgetting(value)] as const] : []));
  return (memory) => {
    if (Array.isArray(memory)) memory.length = first.length;
    else if (!ArrayBuffer.isView(memory))
      for (const name of Object.keys(memory)) if (!first.some(([known]) => known === name)) Reflect.deleteProperty(memory, name);
    Object.assign(memory, Object.fromEntries(first));
    for (const [table, forget] of inside) forget(table);
  };
}

const isTable = (value: unknown): value is object =>
  [Map, Set, WeakMap, WeakSet].some((table) => value instanceof table) || Array.isArray(value) || ArrayBuffer.isView(value);

/** A weak table cannot be emptied, so its methods are those of another one, which is replaced. */
function forgettingWeak(empty: object): Forget {
  const isMap = empty instanceof WeakMap;
  const made = (): object => (isMap ? new WeakMap<object, unknown>() : new WeakSet());
  const now = { table: made() };
  for (const name of ['get', 'set', 'has', 'add', 'delete'].filter((each) => each in empty))
    Object.defineProperty(empty, name, {
      value(this: unknown, ...given: readonly unknown[]): unknown {
        const method = Reflect.get(now.table, name) as (...values: readonly unknown[]) => unknown;
        const result = method.apply(now.table, [...given]);
        return result === now.table ? this : result;
      },
    });
  return () => void (now.table = made());
}
