/**
 * The order in which nodes are visited: round-robin over zones; zones and nodes in the order in which they were added. Models: v1.24
 * pkg/scheduler/internal/cache node_tree.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';

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
