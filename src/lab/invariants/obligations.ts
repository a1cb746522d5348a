/**
 * What must have happened by an instant: the books that an `eventually` keeps. Asking for the next instant costs nothing, making and
 * keeping a promise a logarithm.
 */

export interface Promised<T> {
  readonly dueAt: number;
  readonly about: T;
}

export interface Obligations<T> {
  /** A promise already made under the key is kept as it is when its instant is the same, replaced otherwise. */
  make(key: string, dueAt: number, about: T): void;
  /** It came about, or nobody waits for it any more; what was promised, if anything was. */
  settle(key: string): Promised<T> | undefined;
  /** The next instant at which something must have happened. */
  next(): number | undefined;
  /** A promise whose instant has passed. */
  overdue(now: number): T | undefined;
  /** Promises still open, in the order in which they were made. */
  open(): IterableIterator<Promised<T>>;
  /** The same as plain data, by their keys. */
  describe(): unknown;
}

interface Due {
  readonly key: string;
  readonly dueAt: number;
}

export function createObligations<T>(): Obligations<T> {
  const made = new Map<string, Promised<T>>();
  /** A binary heap by instant. A promise that was settled or replaced stays in it until it comes to the top. */
  const heap: Due[] = [];
  const at = (i: number): number => heap[i]?.dueAt ?? Infinity;
  const swap = (i: number, j: number): void => {
    const [a, b] = [heap[i], heap[j]];
    if (a !== undefined && b !== undefined) {
      heap[i] = b;
      heap[j] = a;
    }
  };
  const push = (due: Due): void => {
    heap.push(due);
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1;
      if (at(parent) <= at(i)) return;
      swap(i, parent);
      i = parent;
    }
  };
  const pop = (): void => {
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    for (let i = 0; ;) {
      const left = 2 * i + 1;
      const child = at(left + 1) < at(left) ? left + 1 : left;
      if (at(child) >= at(i)) return;
      swap(i, child);
      i = child;
    }
  };
  const top = (): Due | undefined => {
    for (let due = heap[0]; due !== undefined; due = heap[0]) {
      if (made.get(due.key)?.dueAt === due.dueAt) return due;
      pop();
    }
    return undefined;
  };
  return {
    make(key, dueAt, about) {
      if (made.get(key)?.dueAt === dueAt) return;
      made.delete(key);
      made.set(key, { dueAt, about });
      push({ key, dueAt });
    },
    settle(key) {
      const promised = made.get(key);
      made.delete(key);
      return promised;
    },
    next: () => top()?.dueAt,
    overdue(now) {
      const due = top();
      return due === undefined || due.dueAt > now ? undefined : made.get(due.key)?.about;
    },
    open: () => made.values(),
    describe: () => made,
  };
}
