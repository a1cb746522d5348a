/** Pods counted by completion index: how many, the set of indexes, and whether one repeats. Adding and removing take constant time. */
import { createIndexSet, type IndexSet } from './index-set.ts';
import { countIndexes, type Intervals } from './indexes.ts';

const NONE: Intervals = [];

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
