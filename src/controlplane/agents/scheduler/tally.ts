/**
 * Selected pods counted by node and, for the label keys in use, by the node's value. Updated one pod at a time, so that reading costs
 * nothing, independent of the number of pods.
 */
import { accessors } from '../../../engine/index.ts';

const withSizeTotal = accessors('size', 'total');

type Labels = Readonly<Record<string, string>>;

/** Pods by value of one label of their nodes; values without pods are left out. */
export interface ValueCounts {
  readonly size: number;
  /** All of them together. */
  readonly total: number;
  get(value: string): number;
  /** The smallest count among so many values of nodes; infinite for none. */
  least(values: number): number;
}

export interface Tally {
  readonly nodes: ReadonlyMap<string, number>;
  by(key: string): ValueCounts;
}

export interface MutableTally extends Tally {
  bump(node: string, by: number): void;
  /** A node was added or removed, or its labels changed. */
  relabelled(node: string): void;
}

interface MutableCounts extends ValueCounts {
  bump(value: string, by: number): void;
}

function createValueCounts(): MutableCounts {
  const counts = new Map<string, number>();
  /** The number of values with each count: gives the smallest count without a loop. */
  const histogram = new Map<number, number>();
  let smallest = Infinity;
  let total = 0;

  const shift = (count: number, by: 1 | -1): void => {
    if (count === 0) return;
    const values = (histogram.get(count) ?? 0) + by;
    if (values === 0) histogram.delete(count);
    else histogram.set(count, values);
  };
  return withSizeTotal(
    {
      size: () => counts.size,
      total: () => total,
    },
    {
      get: (value) => counts.get(value) ?? 0,
      least: (values) => (values === 0 ? Infinity : counts.size < values ? 0 : smallest),
      bump(value, by) {
        const before = counts.get(value) ?? 0;
        const count = before + by;
        total += by;
        if (count === 0) counts.delete(value);
        else counts.set(value, count);
        shift(before, -1);
        shift(count, 1);
        if (counts.size === 0) smallest = Infinity;
        else if (count > 0 && count < smallest) smallest = count;
        else while (!histogram.has(smallest)) smallest++;
      },
    },
  );
}

/** An empty tally. `labelsOf` returns the labels of nodes. */
export function createTally(labelsOf: (node: string) => Labels | undefined): MutableTally {
  const nodes = new Map<string, number>();
  const tables = new Map<string, MutableCounts>();
  return {
    nodes,
    by(key) {
      let table = tables.get(key);
      if (table === undefined) {
        tables.set(key, (table = createValueCounts()));
        for (const [node, count] of nodes) {
          const value = labelsOf(node)?.[key];
          if (value !== undefined) table.bump(value, count);
        }
      }
      return table;
    },
    bump(node, by) {
      const count = (nodes.get(node) ?? 0) + by;
      if (count === 0) nodes.delete(node);
      else nodes.set(node, count);
      for (const [key, table] of tables) {
        const value = labelsOf(node)?.[key];
        if (value !== undefined) table.bump(value, by);
      }
    },
    relabelled(node) {
      if (nodes.has(node)) tables.clear();
    },
  };
}
