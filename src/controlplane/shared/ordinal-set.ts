/**
 * A mutable set of ordinals for the questions of every sync (the first missing ordinal, the last outdated one, the number below a bound, all
 * as intervals). Each takes one step per thousand ordinals, so that a change of one pod among 10,000 costs about as much as among a hundred.
 */
import { placeAmong } from '../../schema/values/index.ts';

/** Ordinals of a block: 32 words of 32 bits. */
const BLOCK = 1024;
const WORDS = BLOCK / 32;
/** Inverts the bits of a word: the first free bit is the first set bit of the inverted word. */
const ALL = 0xffffffff;

interface Block {
  readonly words: Uint32Array;
  count: number;
}

export interface Interval {
  readonly first: number;
  readonly last: number;
}
export type Intervals = readonly Interval[];

export class OrdinalSet {
  size = 0;
  readonly #blocks = new Map<number, Block>();
  /** Numbers of the existing blocks, ascending: a single `web-2000000000` is one step away, not two million. */
  #numbers: readonly number[] = [];
  #intervals: Intervals | undefined;

  has(ordinal: number): boolean {
    const block = this.#blocks.get(blockOf(ordinal));
    return block !== undefined && isIn(block, ordinal % BLOCK);
  }

  /** Returns whether the set changed. */
  add(ordinal: number): boolean {
    const at = blockOf(ordinal);
    let block = this.#blocks.get(at);
    if (block === undefined) {
      this.#blocks.set(at, (block = { words: new Uint32Array(WORDS), count: 0 }));
      this.#numbers = this.#numbers.toSpliced(placeAmong(this.#numbers, at), 0, at);
    }
    const place = ordinal % BLOCK;
    if (isIn(block, place)) return false;
    block.words[place >> 5] = wordAt(block, place >> 5) | (1 << (place & 31));
    block.count++;
    this.size++;
    this.#intervals = undefined;
    return true;
  }

  /** Returns whether the set changed. */
  delete(ordinal: number): boolean {
    const at = blockOf(ordinal);
    const block = this.#blocks.get(at);
    const place = ordinal % BLOCK;
    if (block === undefined || !isIn(block, place)) return false;
    block.words[place >> 5] = wordAt(block, place >> 5) & ~(1 << (place & 31));
    this.size--;
    this.#intervals = undefined;
    if (--block.count > 0) return true;
    this.#blocks.delete(at);
    this.#numbers = this.#numbers.filter((number) => number !== at);
    return true;
  }

  /** The smallest member not below `from`. */
  next(from: number): number | undefined {
    const start = blockOf(from);
    for (let i = placeAmong(this.#numbers, start); i < this.#numbers.length; i++) {
      const at = this.#numbers[i] ?? 0;
      const place = firstIn(this.#blocks.get(at), at === start ? from % BLOCK : 0, 0);
      if (place !== undefined) return at * BLOCK + place;
    }
    return undefined;
  }

  /** The greatest member not above `from`. */
  previous(from: number): number | undefined {
    const start = blockOf(from);
    for (let i = placeAmong(this.#numbers, start + 1) - 1; i >= 0; i--) {
      const at = this.#numbers[i] ?? 0;
      const place = lastIn(this.#blocks.get(at), at === start ? from % BLOCK : BLOCK - 1, 0);
      if (place !== undefined) return at * BLOCK + place;
    }
    return undefined;
  }

  /** The smallest ordinal not below `from` that is not a member. */
  nextAbsent(from: number): number {
    for (let at = blockOf(from), place = from % BLOCK; ; at++, place = 0) {
      const block = this.#blocks.get(at);
      if (block === undefined) return at * BLOCK + place;
      const free = block.count === BLOCK ? undefined : firstIn(block, place, ALL);
      if (free !== undefined) return at * BLOCK + free;
    }
  }

  /** The greatest ordinal not above `from` that is not a member; undefined: all down to 0 are. */
  previousAbsent(from: number): number | undefined {
    for (let at = blockOf(from), place = from % BLOCK; at >= 0; at--, place = BLOCK - 1) {
      const block = this.#blocks.get(at);
      if (block === undefined) return at * BLOCK + place;
      const free = block.count === BLOCK ? undefined : lastIn(block, place, ALL);
      if (free !== undefined) return at * BLOCK + free;
    }
    return undefined;
  }

  /** The number of members below a bound. */
  countBelow(bound: number): number {
    const last = blockOf(bound);
    let count = 0;
    for (const at of this.#numbers) {
      const block = at > last ? undefined : this.#blocks.get(at);
      if (block === undefined) break;
      count += at < last ? block.count : bitsBelow(block, bound % BLOCK);
    }
    return count;
  }

  /** Members from `from` to below a bound that are not in the other set, ascending. */
  *range(from: number, bound: number, except?: OrdinalSet): Generator<number> {
    for (let at = this.next(from); at !== undefined && at < bound;) {
      const absent = except?.nextAbsent(at) ?? at;
      if (absent === at) yield at++;
      at = this.next(Math.max(at, absent));
    }
  }

  /** All members as sorted intervals; the same list until the set changes. */
  intervals(): Intervals {
    return (this.#intervals ??= [...this.#runs()]);
  }
  *#runs(): Generator<Interval> {
    for (let first = this.next(0); first !== undefined;) {
      const end = this.nextAbsent(first);
      yield { first, last: end - 1 };
      first = this.next(end);
    }
  }
}

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
