/** Numbers by topology: label key, then label value. */
import type { NodeInfo } from '../node-info.ts';

export interface TopologyCounts {
  /** How many pairs have a number other than zero. */
  readonly size: number;
  get(key: string, value: string): number;
  /** Adds to the node's value of a key; a node without the label counts nowhere. */
  add(key: string, node: NodeInfo, by: number): void;
  /** The sum over the node's values of all keys. */
  sum(node: NodeInfo): number;
  /** Whether the node has a value of some key with more than zero. */
  touches(node: NodeInfo): boolean;
  clone(): TopologyCounts;
}

/** Nothing counted, or a copy. */
export function createTopologyCounts(from?: ReadonlyMap<string, ReadonlyMap<string, number>>): TopologyCounts {
  const counts = new Map<string, Map<string, number>>();
  let size = 0;
  for (const [key, values] of from ?? []) { counts.set(key, new Map(values)); size += values.size; }
  const labelOf = ({ node }: NodeInfo, key: string): string | undefined => node?.metadata.labels?.[key];
  return {
    get size() { return size; },
    get: (key, value) => counts.get(key)?.get(value) ?? 0,
    add(key, node, by) {
      const value = labelOf(node, key);
      if (value === undefined) return;
      let values = counts.get(key);
      if (values === undefined) counts.set(key, (values = new Map()));
      const before = values.get(value);
      const count = (before ?? 0) + by;
      if (count === 0) { if (before !== undefined) { values.delete(value); size--; } return; }
      if (before === undefined) size++;
      values.set(value, count);
    },
    sum(node) {
      let sum = 0;
      for (const [key, values] of counts) {
        const value = labelOf(node, key);
        if (value !== undefined) sum += values.get(value) ?? 0;
      }
      return sum;
    },
    touches(node) {
      for (const [key, values] of counts) {
        const value = labelOf(node, key);
        if (value !== undefined && (values.get(value) ?? 0) > 0) return true;
      }
      return false;
    },
    clone: () => createTopologyCounts(counts),
  };
}
