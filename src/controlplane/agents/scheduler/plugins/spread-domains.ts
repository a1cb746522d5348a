/** The values of a spread constraint's key with the pods there. Models: v1.24 plugins/podtopologyspread preFilterState. */
import type { ValueCounts } from '../tally.ts';

/** Matching pods by value of one constraint's key; values without pods count zero. */
export interface Domains {
  /** How many values there are. */
  readonly size: number;
  get(value: string): number;
  add(value: string, by: number): void;
  /** The smallest count; infinite when there is no domain. */
  least(): number;
  clone(): Domains;
}

/** Domains as kept up for everybody: all nodes belong to one. A copy that may be changed is made on the first change. */
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
