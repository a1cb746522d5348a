/** A binary heap that returns the least item first. Items can be removed by identity. Models: v1.24 pkg/scheduler/internal/heap. */
import { withSize } from '../../../engine/index.ts';

export interface Heap<T extends object> {
  readonly size: number;
  has(item: T): boolean;
  push(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
  remove(item: T): boolean;
}

/** An empty heap. `less` must be a strict total order, so that equal runs return items in the same order. */
export function createHeap<T extends object>(less: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = [];
  const places = new Map<T, number>();

  const put = (item: T, at: number): void => {
    items[at] = item;
    places.set(item, at);
  };
  const up = (item: T, from: number): void => {
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = items[parentAt];
      if (parent === undefined || !less(item, parent)) break;
      put(parent, at);
      at = parentAt;
    }
    put(item, at);
  };
  const down = (item: T, from: number): void => {
    let at = from;
    for (;;) {
      let childAt = 2 * at + 1;
      let child = items[childAt];
      if (child === undefined) break;
      const right = items[childAt + 1];
      if (right !== undefined && less(right, child)) {
        child = right;
        childAt++;
      }
      if (!less(child, item)) break;
      put(child, at);
      at = childAt;
    }
    put(item, at);
  };
  const remove = (item: T): boolean => {
    const at = places.get(item);
    if (at === undefined) return false;
    places.delete(item);
    const last = items.pop();
    if (last !== undefined && last !== item) {
      const parent = items[(at - 1) >> 1];
      if (at > 0 && parent !== undefined && less(last, parent)) up(last, at);
      else down(last, at);
    }
    return true;
  };

  return withSize(
    { size: () => items.length },
    {
      has: (item) => places.has(item),
      push(item) {
        if (!places.has(item)) up(item, items.length);
      },
      peek: () => items[0],
      pop() {
        const [first] = items;
        if (first !== undefined) remove(first);
        return first;
      },
      remove,
    },
  );
}
