/** Numbers by label key, then by label value. */
import type { NodeInfo } from '../node-info.ts';
import { accessors } from '../../../../engine/index.ts';

const withTotal = accessors('total');

export interface TopologyCounts {
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
export function createTopologyCounts(from?: ReadonlyMap<string, ReadonlyMap<string, number>>): TopologyCounts {
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
