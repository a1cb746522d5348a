/**
 * A mutable set of ordinals for the questions of every sync (the first missing ordinal, the last outdated one, the number below a bound).
 * Each takes one step per thousand ordinals, so that a change of one pod among 10,000 costs about as much as among a hundred.
 */
import { placeAmong } from '../../../schema/values/index.ts';
import { withSize } from '../../../engine/index.ts';

/** Ordinals of a block: 32 words of 32 bits. */
const BLOCK = 1024;
const WORDS = BLOCK / 32;

interface Block {
  readonly words: Uint32Array;
  count: number;
}

export interface OrdinalSet {
  readonly size: number;
  has(ordinal: number): boolean;
  add(ordinal: number): void;
  delete(ordinal: number): void;
  /** The smallest member not below `from`. */
  next(from: number): number | undefined;
  /** The greatest member not above `from`. */
  previous(from: number): number | undefined;
  /** The smallest ordinal not below `from` that is not a member. */
  nextAbsent(from: number): number;
  /** The greatest ordinal not above `from` that is not a member; undefined: all down to 0 are. */
  previousAbsent(from: number): number | undefined;
  /** The number of members below a bound. */
  countBelow(bound: number): number;
}

interface Blocks {
  readonly byNumber: Map<number, Block>;
  /** Numbers of the existing blocks, ascending: a single `web-2000000000` is one step away, not two million. */
  numbers: readonly number[];
  size: number;
}

/** No ordinals. */
export function createOrdinalSet(): OrdinalSet {
  const blocks: Blocks = { byNumber: new Map(), numbers: [], size: 0 };
  return withSize(
    { size: () => blocks.size },
    {
      has: (ordinal) => holds(blocks, ordinal),
      add: (ordinal) => add(blocks, ordinal),
      delete: (ordinal) => remove(blocks, ordinal),
      next: (from) => next(blocks, from),
      previous: (from) => previous(blocks, from),
      nextAbsent: (from) => nextAbsent(blocks, from),
      previousAbsent: (from) => previousAbsent(blocks, from),
      countBelow: (bound) => countBelow(blocks, bound),
    },
  );
}

function holds({ byNumber }: Blocks, ordinal: number): boolean {
  const block = byNumber.get(blockOf(ordinal));
  return block !== undefined && isIn(block, ordinal % BLOCK);
}

function open(blocks: Blocks, at: number): Block {
  let block = blocks.byNumber.get(at);
  if (block === undefined) {
    blocks.byNumber.set(at, (block = { words: new Uint32Array(WORDS), count: 0 }));
    blocks.numbers = [...blocks.numbers, at].sort((a, b) => a - b);
  }
  return block;
}

function add(blocks: Blocks, ordinal: number): void {
  const block = open(blocks, blockOf(ordinal));
  const place = ordinal % BLOCK;
  if (isIn(block, place)) return;
  block.words[place >> 5] = wordAt(block, place >> 5) | (1 << (place & 31));
  block.count++;
  blocks.size++;
}

function remove(blocks: Blocks, ordinal: number): void {
  const at = blockOf(ordinal);
  const block = blocks.byNumber.get(at);
  const place = ordinal % BLOCK;
  if (block === undefined || !isIn(block, place)) return;
  block.words[place >> 5] = wordAt(block, place >> 5) & ~(1 << (place & 31));
  blocks.size--;
  if (--block.count > 0) return;
  blocks.byNumber.delete(at);
  blocks.numbers = blocks.numbers.filter((number) => number !== at);
}

function next({ byNumber, numbers }: Blocks, from: number): number | undefined {
  const start = blockOf(from);
  for (const at of numbers) {
    if (at < start) continue;
    const place = firstIn(byNumber.get(at), at === start ? from % BLOCK : 0, 0);
    if (place !== undefined) return at * BLOCK + place;
  }
  return undefined;
}

function previous({ byNumber, numbers }: Blocks, from: number): number | undefined {
  const start = blockOf(from);
  for (let i = numbers.length - 1; i >= 0; i--) {
    const at = numbers[i] ?? 0;
    if (at > start) continue;
    const place = lastIn(byNumber.get(at), at === start ? from % BLOCK : BLOCK - 1, 0);
    if (place !== undefined) return at * BLOCK + place;
  }
  return undefined;
}

function nextAbsent({ byNumber }: Blocks, from: number): number {
  for (let at = blockOf(from), place = from % BLOCK; ; at++, place = 0) {
    const block = byNumber.get(at);
    if (block === undefined) return at * BLOCK + place;
    const free = block.count === BLOCK ? undefined : firstIn(block, place, ALL);
    if (free !== undefined) return at * BLOCK + free;
  }
}

function previousAbsent({ byNumber }: Blocks, from: number): number | undefined {
  for (let at = blockOf(from), place = from % BLOCK; at >= 0; at--, place = BLOCK - 1) {
    const block = byNumber.get(at);
    if (block === undefined) return at * BLOCK + place;
    const free = block.count === BLOCK ? undefined : lastIn(block, place, ALL);
    if (free !== undefined) return at * BLOCK + free;
  }
  return undefined;
}

function countBelow({ byNumber, numbers }: Blocks, bound: number): number {
  const last = blockOf(bound);
  let count = 0;
  for (const at of numbers) {
    if (at > last) break;
    const block = byNumber.get(at);
    if (block !== undefined) count += at < last ? block.count : bitsBelow(block, bound % BLOCK);
  }
  return count;
}

/** Members of one set that are not in the other, from `from` to below a bound, ascending. */
export function* difference(one: OrdinalSet, other: OrdinalSet, from: number, bound: number): Generator<number> {
  for (let at = one.next(from); at !== undefined && at < bound;) {
    const absent = other.nextAbsent(at);
    if (absent === at) {
      yield at;
      at = one.next(at + 1);
    } else at = one.next(absent);
  }
}

/** Inverts the bits of a word: the first free bit is the first set bit of the inverted word. */
const ALL = 0xffffffff;

const blockOf = (ordinal: number): number => Math.floor(ordinal / BLOCK);
const wordAt = (block: Block, at: number): number => block.words[at] ?? 0;
const isIn = (block: Block, place: number): boolean => (wordAt(block, place >> 5) & (1 << (place & 31))) !== 0;

function firstIn(block: Block | undefined, from: number, flip: number): number | undefined {
  if (block === undefined) return undefined;
  for (let at = from >> 5, mask = ALL << (from & 31); at < WORDS; at++, mask = ALL) {
    const bits = (wordAt(block, at) ^ flip) & mask;
    if (bits !== 0) return at * 32 + 31 - Math.clz32(bits & -bits);
  }
  return undefined;
}

function lastIn(block: Block | undefined, from: number, flip: number): number | undefined {
  if (block === undefined) return undefined;
  for (let at = from >> 5, mask = ALL >>> (31 - (from & 31)); at >= 0; at--, mask = ALL) {
    const bits = (wordAt(block, at) ^ flip) & mask;
    if (bits !== 0) return at * 32 + 31 - Math.clz32(bits);
  }
  return undefined;
}

function bitsBelow(block: Block, bound: number): number {
  let count = 0;
  for (let at = 0; at * 32 < bound; at++) {
    let bits = wordAt(block, at);
    if (bound - at * 32 < 32) bits &= (1 << (bound - at * 32)) - 1;
    for (; bits !== 0; bits &= bits - 1) count++;
  }
  return count;
}

/** Since when each pod has been ready, so that counting available pods visits only the others. */
export interface ReadyTimes {
  /** Ready pods. */
  readonly size: number;
  /** @param since milliseconds since the epoch; Infinity where the pod's status has no time. */
  add(ordinal: number, since: number): void;
  remove(ordinal: number, since: number): void;
  /** The number of pods that became ready at an instant or later. */
  countSince(instant: number): number;
  /** The smallest ordinal among them. */
  firstSince(instant: number): number | undefined;
  /** The earliest time among them. */
  earliestSince(instant: number): number | undefined;
  has(ordinal: number, since: number): boolean;
}

/** No ready pods. */
export function createReadyTimes(): ReadyTimes {
  const byTime = new Map<number, OrdinalSet>();
  /** In ascending order; pods become ready in order of time, so new entries nearly always go to the end. */
  const times: number[] = [];
  let size = 0;

  return withSize(
    { size: () => size },
    {
      add(ordinal, since) {
        let ordinals = byTime.get(since);
        if (ordinals === undefined) {
          byTime.set(since, (ordinals = createOrdinalSet()));
          times.splice(placeAmong(times, since), 0, since);
        }
        ordinals.add(ordinal);
        size++;
      },
      remove(ordinal, since) {
        const ordinals = byTime.get(since);
        if (ordinals === undefined) return;
        ordinals.delete(ordinal);
        size--;
        if (ordinals.size > 0) return;
        byTime.delete(since);
        times.splice(placeAmong(times, since), 1);
      },
      countSince(instant) {
        let count = 0;
        for (let at = placeAmong(times, instant); at < times.length; at++) count += byTime.get(times[at] ?? 0)?.size ?? 0;
        return count;
      },
      firstSince(instant) {
        let first: number | undefined;
        for (let at = placeAmong(times, instant); at < times.length; at++) {
          const here = byTime.get(times[at] ?? 0)?.next(0);
          if (here !== undefined && (first === undefined || here < first)) first = here;
        }
        return first;
      },
      earliestSince: (instant) => times[placeAmong(times, instant)],
      has: (ordinal, since) => byTime.get(since)?.has(ordinal) === true,
    },
  );
}
