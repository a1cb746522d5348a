/** Numbers by label key, then by label value. */
import type { NodeInfo } from '../node-info.ts';
import { accessors } from '../../../../engine/index.ts';
import type { ValueCounts } from '../tally.ts';

const withTotal = accessors('total');

interface TopologyCounts {
  /** The sum of all numbers. */
  readonly total: number;
  /** Keys with a number. */
  keys(): Iterable<string>;
  get(key: string, value: string): number;
  /** Adds to the node's value of a key; a node without the label is ignored. */
  add(key: string, node: NodeInfo, by: number): void;
  clone(): TopologyCounts;
}

/** Empty counts, or a copy. */
function createTopologyCounts(from?: ReadonlyMap<string, ReadonlyMap<string, number>>): TopologyCounts {
  const counts = new Map<string, Map<string, number>>();
  let total = 0;
  for (const [key, values] of from ?? []) {
    counts.set(key, new Map(values));
    for (const count of values.values()) total += count;
  }
  return withTotal(
    { total: () => total },
    {
      keys: () => counts.keys(),
      get: (key, value) => counts.get(key)?.get(value) ?? 0,
      add(key, { node }, by) {
        const value = node?.metadata.labels?.[key];
        if (value === undefined) return;
        let values = counts.get(key);
        if (values === undefined) counts.set(key, (values = new Map()));
        values.set(value, (values.get(value) ?? 0) + by);
        total += by;
      },
      clone: () => createTopologyCounts(counts),
    },
  );
}

/** Counts by topology with hypothetical changes on top: if a pod were added or removed. */
export interface LayeredCounts {
  /** Whether nothing is counted. */
  isEmpty(): boolean;
  get(key: string, value: string): number;
  /** Whether the node shares a value with a counted pod. */
  touches(node: NodeInfo): boolean;
  add(key: string, node: NodeInfo, by: number): void;
  clone(): LayeredCounts;
}

export interface Base {
  readonly key: string;
  readonly counts: ValueCounts;
}

/** The combined counts of several terms. */
export function layer(bases: readonly Base[], given?: TopologyCounts): LayeredCounts {
  let changes = given;
  const get = (key: string, value: string): number => {
    let sum = changes === undefined ? 0 : changes.get(key, value);
    for (const base of bases) if (base.key === key) sum += base.counts.get(value);
    return sum;
  };
  const touchesBy = (key: string, { node }: NodeInfo): boolean => {
    const value = node?.metadata.labels?.[key];
    return value !== undefined && get(key, value) > 0;
  };
  return {
    get,
    isEmpty() {
      let total = changes === undefined ? 0 : changes.total;
      for (const { counts } of bases) total += counts.total;
      return total === 0;
    },
    touches(node) {
      for (const { key } of bases) if (touchesBy(key, node)) return true;
      if (changes !== undefined) for (const key of changes.keys()) if (touchesBy(key, node)) return true;
      return false;
    },
    add(key, node, by) {
      (changes ??= createTopologyCounts()).add(key, node, by);
    },
    clone: () => layer(bases, changes?.clone()),
  };
}
