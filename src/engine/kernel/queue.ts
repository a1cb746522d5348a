/**
 * Pending events in buckets by millisecond; a binary heap orders the distinct instants. The queue is stable: events of one instant leave in
 * the order in which they were added.
 */

interface Bucket<T> {
  /** From `head` to `tail`; the other places are cleared, because a bucket may be long. */
  items: (T | undefined)[];
  head: number;
  tail: number;
}

/** Items of a bucket that is kept for another instant, at most. */
const MOST_SPARE = 1024;

export class TimeQueue<T> {
  private readonly buckets = new Map<number, Bucket<T>>();
  private readonly heap: number[] = [];
  /**
   * The bucket of the earliest instant. Nearly every access needs it. It may be empty until the next access: what is handled often plans the
   * next item of the same instant.
   */
  private first: Bucket<T> | undefined = undefined;
  /** An empty bucket, for the next instant. */
  private spare: Bucket<T> | undefined = undefined;

  push(at: number, item: T): void {
    const { buckets, heap } = this;
    const bucket = at === heap[0] ? this.first : buckets.get(at);
    if (bucket !== undefined) {
      bucket.items[bucket.tail++] = item;
      return;
    }
    const opened = this.opening(item);
    buckets.set(at, opened);
    heap.push(at);
    rise(heap, heap.length - 1);
    if (heap[0] === at) this.first = opened;
  }

  private opening(item: T): Bucket<T> {
    const { spare } = this;
    if (spare === undefined) return { items: [item], head: 0, tail: 1 };
    this.spare = undefined;
    spare.items[0] = item;
    spare.tail = 1;
    return spare;
  }

  /** The earliest instant with a pending item; undefined: the queue is empty. */
  earliest(): number | undefined {
    this.dropEmpty();
    return this.heap[0];
  }

  /** The item that leaves next; undefined: the queue is empty. */
  peek(): T | undefined {
    this.dropEmpty();
    return this.first?.items[this.first.head];
  }

  /** Removes and returns the `nth` item of the earliest instant (0 is the oldest). */
  pop(nth = 0): T | undefined {
    this.dropEmpty();
    const bucket = this.first;
    if (bucket === undefined) return undefined;
    const index = bucket.head + nth;
    const item = bucket.items[index];
    if (nth === 0) bucket.items[bucket.head++] = undefined;
    else {
      bucket.items.splice(index, 1);
      bucket.tail--;
    }
    if (bucket.head === bucket.tail) {
      bucket.head = 0;
      bucket.tail = 0;
    } else if (bucket.head > 1024 && bucket.head * 2 > bucket.tail) {
      bucket.items = bucket.items.slice(bucket.head, bucket.tail);
      bucket.tail -= bucket.head;
      bucket.head = 0;
    }
    return item;
  }

  /** All items of an instant, oldest first. */
  at(time: number): readonly T[] {
    const bucket = this.buckets.get(time);
    return bucket === undefined ? [] : (bucket.items.slice(bucket.head, bucket.tail) as T[]);
  }

  /** All items, in the order in which they will leave. */
  all(): T[] {
    return [...this.buckets.keys()].sort((a, b) => a - b).flatMap((time) => this.at(time));
  }

  /** Removes empty buckets before the earliest item. */
  private dropEmpty(): void {
    for (let bucket = this.first; bucket !== undefined && bucket.head === bucket.tail; bucket = this.first) {
      const { heap, buckets } = this;
      buckets.delete(timeAt(heap, 0));
      dropRoot(heap);
      this.first = buckets.get(timeAt(heap, 0));
      if (bucket.items.length <= MOST_SPARE) this.spare = bucket;
    }
  }
}

const timeAt = (heap: readonly number[], i: number): number => heap[i] ?? Infinity;

/** Moves an instant up to its place in the heap. */
function rise(heap: number[], from: number): void {
  let i = from;
  const time = timeAt(heap, i);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (timeAt(heap, parent) <= time) break;
    heap[i] = timeAt(heap, parent);
    i = parent;
  }
  heap[i] = time;
}

/** Removes the earliest instant; the last one sinks from the root to its place. */
function dropRoot(heap: number[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && timeAt(heap, child + 1) < timeAt(heap, child)) child++;
    if (timeAt(heap, child) >= last) break;
    heap[i] = timeAt(heap, child);
    i = child;
  }
  heap[i] = last;
}
