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

export interface IndexSet {
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
