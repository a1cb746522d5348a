/**
 * Pending events in buckets by millisecond; a binary heap orders the distinct instants. The queue is stable: events of one instant leave in
 * the order in which they were added.
 */
import { withSize } from '../accessors.ts';

interface Bucket<T> {
  /** The places before `head` are cleared, because a bucket may be long. */
  items: (T | undefined)[];
  head: number;
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
  /** The bucket of the earliest instant. Nearly every access needs it. */
  first: Bucket<T> | undefined;
  size: number;
}

/** Returns an empty queue. */
export function createTimeQueue<T>(): TimeQueue<T> {
  const state: State<T> = { buckets: new Map(), heap: [], first: undefined, size: 0 };
  return withSize(
    { size: () => state.size },
    {
      push: (at, item) => push(state, at, item),
      earliest: () => state.heap[0],
      peek: () => state.first?.items[state.first.head],
      pop: (nth = 0) => pop(state, nth),
      at: (time) => itemsAt(state, time),
      all: () => [...state.buckets.keys()].sort((a, b) => a - b).flatMap((time) => itemsAt(state, time)),
    },
  );
}

function push<T>(state: State<T>, at: number, item: T): void {
  const { buckets, heap } = state;
  const bucket = at === heap[0] ? state.first : buckets.get(at);
  if (bucket !== undefined) bucket.items.push(item);
  else {
    const opened: Bucket<T> = { items: [item], head: 0 };
    buckets.set(at, opened);
    heap.push(at);
    rise(heap, heap.length - 1);
    if (heap[0] === at) state.first = opened;
  }
  state.size++;
}

function pop<T>(state: State<T>, nth: number): T | undefined {
  const at = state.heap[0];
  const bucket = state.first;
  if (at === undefined || bucket === undefined) return undefined;
  const index = bucket.head + nth;
  const item = bucket.items[index];
  if (nth === 0) bucket.items[bucket.head++] = undefined;
  else bucket.items.splice(index, 1);
  state.size--;
  if (bucket.head >= bucket.items.length) {
    state.buckets.delete(at);
    dropRoot(state.heap);
    state.first = state.buckets.get(timeAt(state.heap, 0));
  } else if (bucket.head > 1024 && bucket.head * 2 > bucket.items.length) {
    bucket.items = bucket.items.slice(bucket.head);
    bucket.head = 0;
  }
  return item;
}

function itemsAt<T>({ buckets }: State<T>, time: number): readonly T[] {
  const bucket = buckets.get(time);
  return bucket === undefined ? [] : (bucket.items.slice(bucket.head) as T[]);
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
