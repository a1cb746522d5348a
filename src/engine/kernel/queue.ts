/** Pending events in buckets by millisecond; a binary heap orders the distinct instants. Stable: one instant's events leave in the order they came. */

interface Bucket<T> {
  items: T[];
  head: number;
}

export interface TimeQueue<T> {
  readonly size: number;
  push(at: number, item: T): void;
  /** The earliest instant with anything pending. */
  earliest(): number | undefined;
  /** The item that would leave next. */
  peek(): T | undefined;
  /** Takes the `nth` item of the earliest instant (0 is the oldest). */
  pop(nth?: number): T | undefined;
  /** Everything pending at an instant, oldest first. */
  at(time: number): readonly T[];
  /** Everything pending, in the order in which it would leave. */
  all(): T[];
}

export function createTimeQueue<T>(): TimeQueue<T> {
  const buckets = new Map<number, Bucket<T>>();
  const heap: number[] = [];
  /** The bucket of the earliest instant, which nearly every access is about. */
  let first: Bucket<T> | undefined;
  let size = 0;

  const heapAt = (i: number): number => heap[i] ?? Infinity;
  const rise = (from: number): void => {
    let i = from;
    const time = heapAt(i);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (heapAt(parent) <= time) break;
      heap[i] = heapAt(parent);
      i = parent;
    }
    heap[i] = time;
  };
  const dropFirstInstant = (): void => {
    const last = heap.pop();
    first = undefined;
    if (last === undefined || heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heapAt(child + 1) < heapAt(child)) child++;
      if (heapAt(child) >= last) break;
      heap[i] = heapAt(child);
      i = child;
    }
    heap[i] = last;
    first = buckets.get(heapAt(0));
  };

  return {
    get size() {
      return size;
    },
    push(at, item) {
      const bucket = at === heap[0] ? first : buckets.get(at);
      if (bucket !== undefined) bucket.items.push(item);
      else {
        const opened: Bucket<T> = { items: [item], head: 0 };
        buckets.set(at, opened);
        heap.push(at);
        rise(heap.length - 1);
        if (heap[0] === at) first = opened;
      }
      size++;
    },
    earliest: () => heap[0],
    peek: () => first?.items[first.head],
    pop(nth = 0) {
      const at = heap[0];
      const bucket = first;
      if (at === undefined || bucket === undefined) return undefined;
      const index = bucket.head + nth;
      const item = bucket.items[index];
      if (nth === 0) bucket.head++;
      else bucket.items.splice(index, 1);
      size--;
      if (bucket.head >= bucket.items.length) {
        buckets.delete(at);
        dropFirstInstant();
      } else if (bucket.head > 1024 && bucket.head * 2 > bucket.items.length) {
        bucket.items = bucket.items.slice(bucket.head);
        bucket.head = 0;
      }
      return item;
    },
    at: (time) => {
      const bucket = buckets.get(time);
      return bucket === undefined ? [] : bucket.items.slice(bucket.head);
    },
    all: () =>
      [...buckets.keys()]
        .sort((a, b) => a - b)
        .flatMap((time) => {
          const bucket = buckets.get(time);
          return bucket === undefined ? [] : bucket.items.slice(bucket.head);
        }),
  };
}
