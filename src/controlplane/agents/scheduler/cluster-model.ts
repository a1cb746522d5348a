import { memo } from '../../../engine/index.ts';
import { addTo, bump, removeFrom } from '../../../schema/values/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import { addPod, createImageStates, createNodeInfo, removePod, setNode, type NodeInfo, type PodInfo } from './node-info.ts';
import { PodGroups } from './pod-groups.ts';

interface PlacedPod {
  info: PodInfo;
  readonly node: string;
  /** What is known of the node: kept while a pod is on it. */
  readonly on: NodeInfo;
  assumed: boolean;
}

const mark = (set: Set<string>, name: string, has: boolean): void => void (has ? set.add(name) : set.delete(name));

/** Most updates of a pod on a node change nothing that is counted. */
const countsEquivalent = (a: PodInfo, b: PodInfo): boolean =>
  a.spec === b.spec &&
  a.priority === b.priority &&
  a.pod.spec.affinity === b.pod.spec.affinity &&
  a.pod.metadata.labels === b.pod.metadata.labels &&
  (a.pod.metadata.deletionTimestamp === undefined) === (b.pod.metadata.deletionTimestamp === undefined);

/**
 * The scheduler's cache of nodes and the pods on them: the state that its watches delivered, plus assumed pods, which it has just placed.
 * Models: v1.24 pkg/scheduler/internal/cache.
 */
export class ClusterModel {
  private readonly infos = new Map<string, NodeInfo>();
  private readonly pods = new Map<string, PlacedPod>();
  private readonly tree: ReturnType<typeof createNodeTree>;
  private readonly images = createImageStates();
  /** The number of pods of each priority, on all nodes. */
  readonly priorities = new Map<number, number>();
  readonly topology = createTopology();
  readonly groups = new PodGroups((name) => this.infos.get(name)?.node?.metadata.labels);
  /** The nodes with a taint that only discourages, and those that report images: avoids loops over nodes. */
  readonly marks = { softTaints: new Set<string>(), images: new Set<string>() };
  private stale: NodeInfo[] = [];
  /** The order of nodes for which `list` was built. */
  private order: readonly string[] | undefined;
  private list: readonly NodeInfo[] = [];
  version = 0;

  constructor(names: Names) {
    this.tree = createNodeTree(names);
  }

  /** Nodes in the order in which filtering visits them. */
  nodes(): readonly NodeInfo[] {
    const wanted = this.tree.order();
    if (wanted !== this.order) {
      this.order = wanted;
      this.list = wanted.map((name) => this.infoOf(name));
    }
    return this.list;
  }

  node(name: string): NodeInfo | undefined {
    const info = this.infos.get(name);
    return info?.node === undefined ? undefined : info;
  }

  setNode(node: Node): NodeInfo {
    const info = this.infoOf(node.metadata.name);
    const before = info.node;
    setNode(info, node);
    this.changed(info);
    this.relabel(info.name, node, before);
    info.images = this.images.set(info.name, node);
    mark(this.marks.images, info.name, info.images !== undefined);
    mark(this.marks.softTaints, info.name, node.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule') === true);
    this.tree.set(node);
    return info;
  }

  removeNode(name: string): void {
    this.tree.remove(name);
    this.images.set(name, undefined);
    this.marks.images.delete(name);
    this.marks.softTaints.delete(name);
    const info = this.infos.get(name);
    if (info === undefined) return;
    const before = info.node;
    info.node = undefined;
    this.relabel(name, undefined, before);
    if (info.pods.size === 0) this.infos.delete(name);
  }

  /** The pod is on the node: the server has it there, or it is assumed there before the server confirms it. */
  put(info: PodInfo, node: string, assumed: boolean): void {
    const before = this.pods.get(info.uid);
    if (before?.node === node && countsEquivalent(before.info, info)) {
      before.info = info;
      before.assumed = assumed;
      before.on.pods.set(info.uid, info);
      return;
    }
    if (before !== undefined) this.remove(info.uid);
    const there = this.infoOf(node);
    this.pods.set(info.uid, { info, node, on: there, assumed });
    addPod(there, info);
    this.changed(there);
    this.moved(info, node, 1);
  }

  remove(uid: string): PlacedPod | undefined {
    const before = this.pods.get(uid);
    if (before === undefined) return undefined;
    this.pods.delete(uid);
    const { on: info } = before;
    removePod(info, uid);
    this.changed(info);
    if (info.node === undefined && info.pods.size === 0) this.infos.delete(before.node);
    this.moved(before.info, before.node, -1);
    return before;
  }

  placed(uid: string): PlacedPod | undefined {
    return this.pods.get(uid);
  }

  takeStale(): readonly NodeInfo[] {
    const taken = this.stale;
    for (const info of taken) info.stale = false;
    this.stale = [];
    return taken;
  }

  /** State that the watch cache does not have: assumed pods, and the order of nodes. */
  describe(): unknown {
    return [[...this.pods].map(([uid, { node, assumed, info }]) => [uid, node, assumed, info.pod]), this.tree.order()];
  }

  private infoOf(name: string): NodeInfo {
    let info = this.infos.get(name);
    if (info === undefined) this.infos.set(name, (info = createNodeInfo(name)));
    return info;
  }

  private changed(info: NodeInfo): void {
    if (info.stale) return;
    info.stale = true;
    // The first as a literal: a list that grows from nothing gets 17 places.
    if (this.stale.length === 0) this.stale = [info];
    else this.stale.push(info);
  }

  private moved(info: PodInfo, node: string, sign: 1 | -1): void {
    this.version++;
    this.groups.move(info, node, sign);
    bump(this.priorities, info.priority, sign);
  }

  private relabel(name: string, node: Node | undefined, before: Node | undefined): void {
    this.version++;
    this.topology.set(name, node);
    if (before === undefined || node === undefined || before.metadata.labels !== node.metadata.labels) this.groups.relabelled(name);
  }
}

type Labels = NonNullable<Node['metadata']['labels']>;
const NO_LABELS: Labels = Object.freeze({});

/** The values of node labels, counted for the label keys in use. */
function createTopology() {
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
function createNodeTree(names: Names) {
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
