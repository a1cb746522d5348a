/**
 * Deadlines by which something must have happened, for `eventually` properties. Reading the next deadline takes constant time; adding and
 * settling take logarithmic time.
 */

export interface Obligation<T> {
  readonly dueAt: number;
  readonly about: T;
}

interface Due {
  readonly key: string;
  readonly dueAt: number;
}

export type Obligations<T> = ReturnType<typeof createObligations<T>>;

export function createObligations<T>() {
  const made = new Map<string, Obligation<T>>();
  /** A binary heap by deadline. A settled or replaced obligation stays in it until it reaches the top. */
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
    /** Adds an obligation. One under the same key is kept if its instant is the same, and replaced otherwise. */
    make(key: string, dueAt: number, about: T): void {
      if (made.get(key)?.dueAt === dueAt) return;
      made.delete(key);
      made.set(key, { dueAt, about });
      push({ key, dueAt });
    },
    /** Removes an obligation that is fulfilled or no longer needed; returns it, if there was one. */
    settle(key: string): Obligation<T> | undefined {
      const obligation = made.get(key);
      made.delete(key);
      return obligation;
    },
    next: (): number | undefined => top()?.dueAt,
    /** Returns an obligation whose deadline has passed. */
    overdue(now: number): T | undefined {
      const due = top();
      return due === undefined || due.dueAt > now ? undefined : made.get(due.key)?.about;
    },
    /** Iterates over the open obligations, in the order in which they were added. */
    open: (): IterableIterator<Obligation<T>> => made.values(),
    describe: (): unknown => made,
  };
}
