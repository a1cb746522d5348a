/** What `memo` of the engine is in the build that can forget: it notes each memory, so that `forgetAll` can empty it. */

type Forget = () => void;
const noted: Forget[] = [];

/** Forgets all memories; returns how many there are. */
export function forgetAll(): number {
  for (const forget of noted) forget();
  return noted.length;
}

export function memo<M extends object>(empty: M): M {
  noted.push(forgetting(empty));
  return empty;
}

/** Returns what gives a record or table the members that it has now. */
function forgetting(memory: object): Forget {
  if (memory instanceof WeakMap || memory instanceof WeakSet) return forgettingWeak(memory);
  if (memory instanceof RegExp) return () => void (memory.lastIndex = 0);
  if (memory instanceof Set) return () => memory.clear();
  if (memory instanceof Map) {
    const first = [...memory];
    return () => {
      memory.clear();
      for (const [key, value] of first) memory.set(key, value);
    };
  }
  const first = Object.entries(memory);
  const members = Object.fromEntries(first);
  const inside = first.flatMap(([, value]) => (isTable(value) ? [forgetting(value)] : []));
  return () => {
    if (Array.isArray(memory)) memory.length = first.length;
    else if (!ArrayBuffer.isView(memory))
      for (const name of Object.keys(memory)) if (!Object.hasOwn(members, name)) Reflect.deleteProperty(memory, name);
    Object.assign(memory, members);
    for (const forget of inside) forget();
  };
}

const isTable = (value: unknown): value is object =>
  [Map, Set, WeakMap, WeakSet].some((table) => value instanceof table) || Array.isArray(value) || ArrayBuffer.isView(value);

/** A weak table cannot be emptied, so its methods are those of another one, which is replaced. */
function forgettingWeak(memory: object): Forget {
  const made = (): object => (memory instanceof WeakMap ? new WeakMap<object, unknown>() : new WeakSet());
  const now = { table: made() };
  for (const name of ['get', 'set', 'has', 'add', 'delete'].filter((each) => each in memory))
    Object.defineProperty(memory, name, {
      value(...given: readonly unknown[]): unknown {
        const method = Reflect.get(now.table, name) as (...values: readonly unknown[]) => unknown;
        const result = method.apply(now.table, [...given]);
        return result === now.table ? memory : result;
      },
    });
  return () => void (now.table = made());
}
