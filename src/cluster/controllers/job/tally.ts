/** Pods counted by completion index: how many, which indexes there are, whether one repeats. Adding and removing cost the same however many there are. */
import { createIndexSet, type IndexSet } from './index-set.ts';
import { countIndexes, type Intervals } from './indexes.ts';

export interface IndexTally {
  /** Pods without an index. */
  readonly unknown: number;
  /** The different indexes. */
  readonly indexes: IndexSet;
  add(index: number | undefined): void;
  remove(index: number | undefined): void;
  /** Pods with an index below a bound. */
  podsBelow(completions: number): number;
  /** The different indexes below a bound. */
  intervalsBelow(completions: number): Intervals;
  /** Whether each pod has its own index below the bound. */
  isClean(completions: number): boolean;
  plain(): unknown;
}

/** Nothing counted. */
export function createIndexTally(): IndexTally {
  const indexes = createIndexSet();
  /** Pods beyond the first of an index. */
  const repeats = new Map<number, number>();
  let unknown = 0;
  let repeated = 0;
  /** No index was ever higher. */
  let bound = -1;

  const change = (index: number, by: 1 | -1): void => {
    const count = (repeats.get(index) ?? 0) + by;
    repeated += by;
    if (count === 0) repeats.delete(index);
    else repeats.set(index, count);
  };
  const intervalsBelow = (completions: number): Intervals => {
    const all = indexes.intervals();
    if (bound < completions) return all;
    return all.filter(({ first }) => first < completions).map(({ first, last }) => ({ first, last: Math.min(last, completions - 1) }));
  };

  return {
    get unknown() { return unknown; },
    indexes,
    add(index) {
      if (index === undefined) { unknown++; return; }
      bound = Math.max(bound, index);
      if (!indexes.add(index)) change(index, 1);
    },
    remove(index) {
      if (index === undefined) unknown--;
      else if (repeats.has(index)) change(index, -1);
      else indexes.remove(index);
    },
    podsBelow(completions) {
      if (bound < completions) return indexes.size + repeated;
      let pods = countIndexes(intervalsBelow(completions));
      for (const [index, more] of repeats) if (index < completions) pods += more;
      return pods;
    },
    intervalsBelow,
    isClean: (completions) => unknown === 0 && repeated === 0 && (bound < completions || countIndexes(intervalsBelow(completions)) === indexes.size),
    plain: () => ({ unknown, intervals: indexes.intervals(), repeats: [...repeats].sort(([a], [b]) => a - b) }),
  };
}
