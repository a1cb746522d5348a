/** The domains of a spread constraint, with the number of pods in each. Models: v1.24 plugins/podtopologyspread preFilterState. */
import type { ValueCounts } from '../tally.ts';

/** Matching pods by value of a constraint's key; values without pods have 0. */
export interface Domains {
  /** The number of values. */
  readonly size: number;
  get(value: string): number;
  add(value: string, by: number): void;
  /** The smallest count; infinite without domains. */
  least(): number;
  clone(): Domains;
}

/** Domains from the shared counts, where all nodes count. The first change makes a copy. */
export function keptDomains(counts: ValueCounts, values: ReadonlyMap<string, number>): Domains {
  let own: Domains | undefined;
  const copy = (): Domains => countedDomains(new Map([...values.keys()].map((value) => [value, counts.get(value)])));
  return {
    size: values.size,
    get: (value) => (own === undefined ? counts.get(value) : own.get(value)),
    add(value, by) {
      (own ??= copy()).add(value, by);
    },
    least: () => (own === undefined ? counts.least(values.size) : own.least()),
    clone: () => own?.clone() ?? keptDomains(counts, values),
  };
}

/** Domains counted for one pod. */
export function countedDomains(counts: Map<string, number>): Domains {
  let least: number | undefined;
  return {
    size: counts.size,
    get: (value) => counts.get(value) ?? 0,
    add(value, by) {
      const count = counts.get(value);
      if (count === undefined) return;
      counts.set(value, count + by);
      least = undefined;
    },
    least() {
      if (least === undefined) {
        least = Infinity;
        for (const count of counts.values()) if (count < least) least = count;
      }
      return least;
    },
    clone: () => countedDomains(new Map(counts)),
  };
}
