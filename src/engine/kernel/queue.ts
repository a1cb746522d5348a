/**
 * Pending events in buckets by millisecond; a binary heap orders the distinct instants. The queue is stable: events of one instant leave in
 * the order in which they were added.
 */
import { withSize } from '../accessors.ts';

interface Bucket<T> {
  /** From `head` to `tail`; the other places are cleared, because a bucket may be long. */
  items: (T | undefined)[];
  head: number;
  tail: number;
}

export interface TimeQueue<T> {
  readonly size: number;
  push(at: number, item: T): void;
  /** The earliest instant with a pending item; undefined: the queue is empty. */
  earliest(): number | undefined;
  /** The item that leaves next; undefined: the queue is empty. */
  peek(): T | undefined;
  /** Removes and returns the `nth` item of the earliest instant (0 is the oldest). */
  pop(nth?: number): T | undefined;
  /** All items of an instant, oldest first. */
  at(time: number): readonly T[];
  /** All items, in the order in which they will leave. */
  all(): T[];
}

interface State<T> {
  readonly buckets: Map<number, Bucket<T>>;
  readonly heap: number[];
  /**
   * The bucket of the earliest instant. Nearly every access needs it. It may be empty until the next access: what is handled often plans the
   * next item of the same instant.
   */
  first: Bucket<T> | undefined;
  /** An empty bucket, for the next instant. */
  spare: Bucket<T> | undefined;
  size: number;
}

/** Returns an empty queue. */
export function createTimeQueue<T>(): TimeQueue<T> {
  const state: State<T> = { buckets: new Map(), heap: [], first: undefined, spare: undefined, size: 0 };
  return withSize(
    { size: () => state.size },
    {
      push: (at, item) => push(state, at, item),
      earliest() {
        dropEmpty(state);
        return state.heap[0];
      },
      peek() {
        dropEmpty(state);
        return state.first?.items[state.first.head];
      },
      pop: (nth = 0) => pop(state, nth),
      at: (time) => itemsAt(state, time),
      all: () => [...state.buckets.keys()].sort((a, b) => a - b).flatMap((time) => itemsAt(state, time)),
    },
  );
}

function push<T>(state: State<T>, at: number, item: T): void {
  const { buckets, heap } = state;
  const bucket = at === heap[0] ? state.first : buckets.get(at);
  if (bucket !== undefined) bucket.items[bucket.tail++] = item;
  else {
    const opened = opening(state, item);
    buckets.set(at, opened);
    heap.push(at);
    rise(heap, heap.length - 1);
    if (heap[0] === at) state.first = opened;
  }
  state.size++;
}

function opening<T>(state: State<T>, item: T): Bucket<T> {
  const { spare } = state;
  if (spare === undefined) return { items: [item], head: 0, tail: 1 };
  state.spare = undefined;
  spare.items[0] = item;
  spare.tail = 1;
  return spare;
}

/** Items of a bucket that is kept for another instant, at most. */
const MOST_SPARE = 1024;

/** Removes empty buckets before the earliest item. */
function dropEmpty<T>(state: State<T>): void {
  for (let bucket = state.first; bucket !== undefined && bucket.head === bucket.tail; bucket = state.first) {
    const { heap, buckets } = state;
    buckets.delete(timeAt(heap, 0));
    dropRoot(heap);
    state.first = buckets.get(timeAt(heap, 0));
    if (bucket.items.length <= MOST_SPARE) state.spare = bucket;
  }
}

function pop<T>(state: State<T>, nth: number): T | undefined {
  dropEmpty(state);
  const bucket = state.first;
  if (bucket === undefined) return undefined;
  const index = bucket.head + nth;
  const item = bucket.items[index];
  if (nth === 0) bucket.items[bucket.head++] = undefined;
  else {
    bucket.items.splice(index, 1);
    bucket.tail--;
  }
  state.size--;
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

function itemsAt<T>({ buckets }: State<T>, time: number): readonly T[] {
  const bucket = buckets.get(time);
  return bucket === undefined ? [] : (bucket.items.slice(bucket.head, bucket.tail) as T[]);
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
