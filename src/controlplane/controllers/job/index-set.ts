/**
 * A mutable set of completion indexes for aggregates over a Job's pods. Adding or removing one costs a binary search and a copy of one
 * small block, independent of the number of indexes and their order; the first free index is found block by block.
 */
import { countIndexes, firstPendingIndexes, hasIndex, type Interval, type Intervals, withIndex, withoutIndex } from './indexes.ts';
import { accessors } from '../../../engine/index.ts';

const withSizeHighest = accessors('size', 'highest');

/** A block has at most half as many intervals, so copying it takes less than a microsecond. */
const BLOCK = 1024;
const NOTHING: Intervals = [];

interface IndexSet {
  readonly size: number;
  /** The greatest index, without joining the blocks. */
  readonly highest: number | undefined;
  has(index: number): boolean;
  /** Returns whether the set changed. */
  add(index: number): boolean;
  /** Returns whether the set changed. */
  remove(index: number): boolean;
  /** All indexes as sorted intervals; the same list until the set changes. */
  intervals(): Intervals;
  /** The first `count` indexes below `completions` that are not in the set. */
  firstFree(count: number, completions: number): readonly number[];
}

export function createIndexSet(initial: Intervals = NOTHING): IndexSet {
  /** By index / BLOCK; an absent block is empty. */
  const blocks = new Map<number, Intervals>();
  let size = 0;
  let joined: Intervals | undefined;
  const blockOf = (index: number): number => Math.floor(index / BLOCK);
  const replace = (at: number, block: Intervals, change: number): boolean => {
    if (block.length === 0) blocks.delete(at);
    else blocks.set(at, block);
    size += change;
    joined = undefined;
    return true;
  };

  for (const { first, last } of initial) {
    for (let at = blockOf(first); at <= blockOf(last); at++) {
      const part = { first: Math.max(first, at * BLOCK), last: Math.min(last, at * BLOCK + BLOCK - 1) };
      replace(at, [...(blocks.get(at) ?? NOTHING), part], countIndexes([part]));
    }
  }

  return withSizeHighest(
    {
      size: () => size,
      highest: () => {
        let top = -1;
        for (const at of blocks.keys()) if (at > top) top = at;
        return blocks.get(top)?.at(-1)?.last;
      },
    },
    {
      has: (index) => hasIndex(blocks.get(blockOf(index)) ?? NOTHING, index),
      add(index) {
        const at = blockOf(index);
        const before = blocks.get(at) ?? NOTHING;
        const after = withIndex(before, index);
        return after !== before && replace(at, after, 1);
      },
      remove(index) {
        const at = blockOf(index);
        const before = blocks.get(at) ?? NOTHING;
        const after = withoutIndex(before, index);
        return after !== before && replace(at, after, -1);
      },
      intervals: () => (joined ??= joinBlocks(blocks)),
      firstFree(count, completions) {
        const free: number[] = [];
        for (let start = 0; free.length < count && start < completions; start += BLOCK) {
          const taken = blocks.get(blockOf(start)) ?? NOTHING;
          for (const index of firstPendingIndexes(count - free.length, taken, NOTHING, Math.min(completions, start + BLOCK), start))
            free.push(index);
        }
        return free;
      },
    },
  );
}

function joinBlocks(blocks: ReadonlyMap<number, Intervals>): Intervals {
  const all: Interval[] = [];
  for (const at of [...blocks.keys()].sort((a, b) => a - b)) {
    for (const interval of blocks.get(at) ?? NOTHING) {
      const previous = all.at(-1);
      if (previous !== undefined && previous.last === interval.first - 1)
        all[all.length - 1] = { first: previous.first, last: interval.last };
      else all.push(interval);
    }
  }
  return all;
}

const NONE: Intervals = [];

/** Pods counted by completion index: how many, the set of indexes, and whether one repeats. Adding and removing take constant time. */
export interface IndexTally {
  /** Pods without an index. */
  readonly unknown: number;
  /** The distinct indexes. */
  readonly indexes: IndexSet;
  add(index: number | undefined): void;
  remove(index: number | undefined): void;
  /** Pods with an index below a bound. */
  podsBelow(completions: number): number;
  /** The distinct indexes below a bound. */
  intervalsBelow(completions: number): Intervals;
  /** Whether each pod has its own index below the bound. */
  isClean(completions: number): boolean;
  plain(): unknown;
}

/** A tally without pods. */
export const createIndexTally = (): IndexTally => new Tally();

/** A class, and without collections until it gets an index: every Job has several, and most count pods without an index. */
class Tally implements IndexTally {
  unknown = 0;
  #indexes: IndexSet | undefined;
  /** Pods beyond the first of an index. */
  #repeats: Map<number, number> | undefined;
  #repeated = 0;
  /** An upper bound of all indexes so far. */
  #bound = -1;

  get indexes(): IndexSet {
    return (this.#indexes ??= createIndexSet());
  }
  add(index: number | undefined): void {
    if (index === undefined) {
      this.unknown++;
      return;
    }
    this.#bound = Math.max(this.#bound, index);
    if (!this.indexes.add(index)) this.#repeat(index, 1);
  }
  remove(index: number | undefined): void {
    if (index === undefined) this.unknown--;
    else if (this.#repeats?.has(index) === true) this.#repeat(index, -1);
    else this.indexes.remove(index);
  }
  podsBelow(completions: number): number {
    if (this.#indexes === undefined) return 0;
    if (this.#bound < completions) return this.#indexes.size + this.#repeated;
    let pods = countIndexes(this.intervalsBelow(completions));
    for (const [index, more] of this.#repeats ?? []) if (index < completions) pods += more;
    return pods;
  }
  intervalsBelow(completions: number): Intervals {
    if (this.#indexes === undefined) return NONE;
    const all = this.#indexes.intervals();
    if (this.#bound < completions) return all;
    return all.filter(({ first }) => first < completions).map(({ first, last }) => ({ first, last: Math.min(last, completions - 1) }));
  }
  isClean(completions: number): boolean {
    return (
      this.unknown === 0 &&
      this.#repeated === 0 &&
      (this.#bound < completions || countIndexes(this.intervalsBelow(completions)) === this.indexes.size)
    );
  }
  plain(): unknown {
    return {
      unknown: this.unknown,
      intervals: this.#indexes?.intervals() ?? NONE,
      repeats: [...(this.#repeats ?? [])].sort(([a], [b]) => a - b),
    };
  }

  #repeat(index: number, by: 1 | -1): void {
    const repeats = (this.#repeats ??= new Map<number, number>());
    const count = (repeats.get(index) ?? 0) + by;
    this.#repeated += by;
    if (count === 0) repeats.delete(index);
    else repeats.set(index, count);
  }
}
