import { memo, newItems } from '../../engine/index.ts';
import { bump } from '../../schema/values/index.ts';

/** How often each key occurs among the items of a list. */
export interface KeyTable {
  readonly counts: ReadonlyMap<string, number>;
  /** How many keys occur more than once. */
  readonly repeated: number;
}

/** The same while items come and go. */
class Keys implements KeyTable {
  readonly counts = new Map<string, number>();
  repeated = 0;

  add(key: string): void {
    if (bump(this.counts, key) === 2) this.repeated++;
  }

  remove(key: string): void {
    if (bump(this.counts, key, -1) === 1) this.repeated--;
  }
}

/** Tables of the lists of stored objects. The table of a list moves on to its next revision, and so costs what changed. */
export class KeyTables {
  readonly #tables = memo(new WeakMap<readonly unknown[], Keys>());

  /** Returns the table of a list whose former revision is `before`; all calls for a list have the same `keyOf`. */
  of<T>(list: readonly T[] = [], before: readonly T[] | null | undefined, keyOf: (item: T) => string): KeyTable {
    const known = this.#tables.get(list);
    if (known !== undefined) return known;
    const former = before === undefined || before === null ? undefined : this.#tables.get(before);
    const keys = former ?? new Keys();
    const { from, to } = newItems(list, former === undefined ? undefined : before);
    if (former !== undefined && before) {
      this.#tables.delete(before);
      for (let at = from; at < to + before.length - list.length; at++) keys.remove(keyOf(before[at] as T));
    }
    for (let at = from; at < to; at++) keys.add(keyOf(list[at] as T));
    if (Object.isFrozen(list)) this.#tables.set(list, keys);
    return keys;
  }
}
