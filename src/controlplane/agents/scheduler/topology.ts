/** The values of node labels, counted for the label keys in use. */
import type { Node } from '../../../apiserver/kinds/index.ts';

export interface KeyValues {
  /** Values with the number of nodes that have them. */
  readonly values: ReadonlyMap<string, number>;
  /** Nodes without the label. */
  readonly missing: number;
}

export interface Topology {
  of(key: string): KeyValues;
  /** A node was added, its labels changed, or (undefined) it was removed. */
  set(name: string, node: Node | undefined): void;
}

type Labels = NonNullable<Node['metadata']['labels']>;
const NO_LABELS: Labels = Object.freeze({});

/** No nodes. */
export function createTopology(): Topology {
  const nodes = new Map<string, Labels>();
  const keys = new Map<string, { readonly values: Map<string, number>; missing: number }>();

  const count = (key: string, labels: Labels, by: 1 | -1): void => {
    const known = keys.get(key);
    if (known === undefined) return;
    const value = labels[key];
    if (value === undefined) {
      known.missing += by;
      return;
    }
    const nodesThere = (known.values.get(value) ?? 0) + by;
    if (nodesThere === 0) known.values.delete(value);
    else known.values.set(value, nodesThere);
  };

  return {
    of(key) {
      let known = keys.get(key);
      if (known === undefined) {
        keys.set(key, (known = { values: new Map(), missing: 0 }));
        for (const labels of nodes.values()) count(key, labels, 1);
      }
      return known;
    },
    set(name, node) {
      const before = nodes.get(name);
      const labels = node === undefined ? undefined : (node.metadata.labels ?? NO_LABELS);
      if (before === labels) return;
      if (labels === undefined) nodes.delete(name);
      else nodes.set(name, labels);
      for (const key of keys.keys()) {
        if (before !== undefined) count(key, before, -1);
        if (labels !== undefined) count(key, labels, 1);
      }
    },
  };
}
