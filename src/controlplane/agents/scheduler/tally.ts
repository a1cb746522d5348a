import { bump } from '../../../schema/values/index.ts';

type Labels = Readonly<Record<string, string>>;

/** Pods by value of one label of their nodes; values without pods are left out. */
export class ValueCounts {
  private readonly counts = new Map<string, number>();
  /** The number of values with each count: gives the smallest count without a loop. */
  private readonly histogram = new Map<number, number>();
  private smallest = Infinity;
  /** All of them together. */
  total = 0;

  get size(): number {
    return this.counts.size;
  }

  get(value: string): number {
    return this.counts.get(value) ?? 0;
  }

  /** The smallest count among so many values of nodes; infinite for none. */
  least(values: number): number {
    return values === 0 ? Infinity : this.counts.size < values ? 0 : this.smallest;
  }

  bump(value: string, by: number): void {
    const before = this.get(value);
    const count = before + by;
    this.total += by;
    bump(this.counts, value, by);
    if (before !== 0) bump(this.histogram, before, -1);
    if (count !== 0) bump(this.histogram, count, 1);
    if (this.counts.size === 0) this.smallest = Infinity;
    else if (count > 0 && count < this.smallest) this.smallest = count;
    else while (!this.histogram.has(this.smallest)) this.smallest++;
  }
}

/**
 * Selected pods counted by node and, for the label keys in use, by the node's value. Updated one pod at a time, so that reading costs
 * nothing, independent of the number of pods.
 */
export class Tally {
  readonly nodes = new Map<string, number>();
  private readonly tables = new Map<string, ValueCounts>();
  private readonly labelsOf: (node: string) => Labels | undefined;

  constructor(labelsOf: (node: string) => Labels | undefined) {
    this.labelsOf = labelsOf;
  }

  by(key: string): ValueCounts {
    let table = this.tables.get(key);
    if (table === undefined) {
      this.tables.set(key, (table = new ValueCounts()));
      for (const [node, count] of this.nodes) this.count(key, table, node, count);
    }
    return table;
  }

  bump(node: string, by: number): void {
    bump(this.nodes, node, by);
    for (const [key, table] of this.tables) this.count(key, table, node, by);
  }

  /** A node was added or removed, or its labels changed. */
  relabelled(node: string): void {
    if (this.nodes.has(node)) this.tables.clear();
  }

  private count(key: string, table: ValueCounts, node: string, by: number): void {
    const value = this.labelsOf(node)?.[key];
    if (value !== undefined) table.bump(value, by);
  }
}
