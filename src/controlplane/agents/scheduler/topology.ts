/** The values of node labels, counted for the label keys in use. */
import { memo } from '../../../engine/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { addTo, bump, removeFrom } from '../../../schema/values/index.ts';

type Labels = NonNullable<Node['metadata']['labels']>;
const NO_LABELS: Labels = Object.freeze({});

export function createTopology() {
  const nodes = new Map<string, Labels>();
  /** By key, the values with the number of nodes that have them, and the number of nodes without the label. */
  const keys = new Map<string, { readonly values: Map<string, number>; missing: number }>();

  const count = (key: string, labels: Labels, by: 1 | -1): void => {
    const known = keys.get(key);
    if (known === undefined) return;
    const value = labels[key];
    if (value === undefined) known.missing += by;
    else bump(known.values, value, by);
  };

  return {
    of(key: string): { readonly values: ReadonlyMap<string, number>; readonly missing: number } {
      let known = keys.get(key);
      if (known === undefined) {
        keys.set(key, (known = { values: new Map(), missing: 0 }));
        for (const labels of nodes.values()) count(key, labels, 1);
      }
      return known;
    },
    /** A node was added, its labels changed, or (undefined) it was removed. */
    set(name: string, node: Node | undefined): void {
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

/** Region and zone as one key; '' when neither is known. */
function zoneKeyOf(names: Names, node: Node): string {
  const labels = node.metadata.labels ?? {};
  const zone = labels[names.key('failure-domain.beta', 'zone')] ?? labels[names.key('topology', 'zone')] ?? '';
  const region = labels[names.key('failure-domain.beta', 'region')] ?? labels[names.key('topology', 'region')] ?? '';
  // A label's value cannot contain the separator.
  return zone === '' && region === '' ? '' : `${region}:\u0000:${zone}`;
}

/**
 * The order in which nodes are visited: round-robin over zones; zones and nodes in the order in which they were added. Models: v1.24
 * pkg/scheduler/internal/cache node_tree.
 */
export function createNodeTree(names: Names) {
  const zones = new Map<string, Set<string>>();
  const zoneOf = new Map<string, string>();
  const memory = memo<{ ordered: readonly string[] | undefined }>({ ordered: undefined });

  const remove = (name: string): void => {
    const zone = zoneOf.get(name);
    if (zone === undefined) return;
    zoneOf.delete(name);
    removeFrom(zones, zone, name);
    memory.ordered = undefined;
  };

  return {
    remove,
    set(node: Node): void {
      const { name } = node.metadata;
      const zone = zoneKeyOf(names, node);
      if (zoneOf.get(name) === zone) return;
      remove(name);
      zoneOf.set(name, zone);
      addTo(zones, zone, name);
      memory.ordered = undefined;
    },
    /** All names in this order; the same array until a node is added, removed or moved. */
    order(): readonly string[] {
      if (memory.ordered !== undefined) return memory.ordered;
      const columns = [...zones.values()].map((members) => [...members]);
      const made: string[] = [];
      for (let row = 0; made.length < zoneOf.size; row++) {
        for (const column of columns) {
          const name = column[row];
          if (name !== undefined) made.push(name);
        }
      }
      return (memory.ordered = made);
    },
  };
}
