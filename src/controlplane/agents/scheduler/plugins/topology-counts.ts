import type { NodeInfo } from '../node-info.ts';
import type { ValueCounts } from '../tally.ts';

/** Numbers by label key, then by label value; they begin empty, or as a copy. */
class TopologyCounts {
  private readonly counts = new Map<string, Map<string, number>>();
  total = 0;

  constructor(from?: TopologyCounts) {
    for (const [key, values] of from?.counts ?? []) this.counts.set(key, new Map(values));
    this.total = from?.total ?? 0;
  }

  keys(): Iterable<string> {
    return this.counts.keys();
  }

  get(key: string, value: string): number {
    return this.counts.get(key)?.get(value) ?? 0;
  }

  /** Adds to the node's value of a key; a node without the label is ignored. */
  add(key: string, { node }: NodeInfo, by: number): void {
    const value = node?.metadata.labels?.[key];
    if (value === undefined) return;
    let values = this.counts.get(key);
    if (values === undefined) this.counts.set(key, (values = new Map()));
    values.set(value, (values.get(value) ?? 0) + by);
    this.total += by;
  }
}

export interface Base {
  readonly key: string;
  readonly counts: ValueCounts;
}

/** The combined counts of several terms, with hypothetical changes on top: if a pod were added or removed. */
export class LayeredCounts {
  private readonly bases: readonly Base[];
  private changes: TopologyCounts | undefined;

  constructor(bases: readonly Base[], changes?: TopologyCounts) {
    this.bases = bases;
    this.changes = changes;
  }

  get(key: string, value: string): number {
    let sum = this.changes === undefined ? 0 : this.changes.get(key, value);
    for (const base of this.bases) if (base.key === key) sum += base.counts.get(value);
    return sum;
  }

  isEmpty(): boolean {
    let total = this.changes === undefined ? 0 : this.changes.total;
    for (const { counts } of this.bases) total += counts.total;
    return total === 0;
  }

  /** Whether the node shares a value with a counted pod. */
  touches({ node }: NodeInfo): boolean {
    const touchesBy = (key: string): boolean => {
      const value = node?.metadata.labels?.[key];
      return value !== undefined && this.get(key, value) > 0;
    };
    for (const { key } of this.bases) if (touchesBy(key)) return true;
    if (this.changes !== undefined) for (const key of this.changes.keys()) if (touchesBy(key)) return true;
    return false;
  }

  add(key: string, node: NodeInfo, by: number): void {
    (this.changes ??= new TopologyCounts()).add(key, node, by);
  }

  clone(): LayeredCounts {
    return new LayeredCounts(this.bases, this.changes === undefined ? undefined : new TopologyCounts(this.changes));
  }
}
