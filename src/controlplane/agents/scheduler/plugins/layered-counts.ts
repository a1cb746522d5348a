/** Counts by topology with hypothetical changes on top: if a pod were added or removed. */
import type { NodeInfo } from '../node-info.ts';
import type { ValueCounts } from '../tally.ts';
import { createTopologyCounts, type TopologyCounts } from './topology-counts.ts';

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
