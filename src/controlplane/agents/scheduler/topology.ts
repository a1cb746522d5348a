/** The values of node labels, counted for the label keys in use. */
import type { Node } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';

interface KeyValues {
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

/**
 * The order in which nodes are visited: round-robin over zones; zones and nodes in the order in which they were added. Models: v1.24
 * pkg/scheduler/internal/cache node_tree.
 */
export interface NodeTree {
  set(node: Node): void;
  remove(name: string): void;
  /** All names in this order; the same array until a node is added, removed or moved. */
  order(): readonly string[];
}

/** Region and zone as one key; '' when neither is known. */
function zoneKeyOf(names: Names, node: Node): string {
  const labels = node.metadata.labels ?? {};
  const zone = labels[names.key('failure-domain.beta', 'zone')] ?? labels[names.key('topology', 'zone')] ?? '';
  const region = labels[names.key('failure-domain.beta', 'region')] ?? labels[names.key('topology', 'region')] ?? '';
  // A label's value cannot contain the separator.
  return zone === '' && region === '' ? '' : `${region}:\u0000:${zone}`;
}

/** A tree without nodes. */
export function createNodeTree(names: Names): NodeTree {
  const zones = new Map<string, Set<string>>();
  const zoneOf = new Map<string, string>();
  let ordered: readonly string[] | undefined;

  const remove = (name: string): void => {
    const zone = zoneOf.get(name);
    if (zone === undefined) return;
    zoneOf.delete(name);
    const members = zones.get(zone);
    members?.delete(name);
    if (members?.size === 0) zones.delete(zone);
    ordered = undefined;
  };

  return {
    remove,
    set(node) {
      const { name } = node.metadata;
      const zone = zoneKeyOf(names, node);
      if (zoneOf.get(name) === zone) return;
      remove(name);
      zoneOf.set(name, zone);
      const members = zones.get(zone);
      if (members === undefined) zones.set(zone, new Set([name]));
      else members.add(name);
      ordered = undefined;
    },
    order() {
      if (ordered !== undefined) return ordered;
      const columns = [...zones.values()].map((members) => [...members]);
      const made: string[] = [];
      for (let row = 0; made.length < zoneOf.size; row++) {
        for (const column of columns) {
          const name = column[row];
          if (name !== undefined) made.push(name);
        }
      }
      return (ordered = made);
    },
  };
}
