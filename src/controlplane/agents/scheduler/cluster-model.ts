import { bump } from '../../../schema/values/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import { addPod, createImageStates, createNodeInfo, removePod, setNode, type NodeInfo, type PodInfo } from './node-info.ts';
import { createNodeTree, createTopology } from './topology.ts';
import { PodGroups } from './pod-groups.ts';
import type { NodeMarks } from './plugin.ts';

export interface PlacedPod {
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
  private readonly priorities = new Map<number, number>();
  readonly topology = createTopology();
  readonly groups = new PodGroups((name) => this.infos.get(name)?.node?.metadata.labels);
  private readonly softlyTainted = new Set<string>();
  private readonly withImages = new Set<string>();
  readonly marks: NodeMarks = { softTaints: () => this.softlyTainted.size > 0, images: () => this.withImages.size > 0 };
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
    mark(this.withImages, info.name, info.images !== undefined);
    mark(this.softlyTainted, info.name, node.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule') === true);
    this.tree.set(node);
    return info;
  }

  removeNode(name: string): void {
    this.tree.remove(name);
    this.images.set(name, undefined);
    this.withImages.delete(name);
    this.softlyTainted.delete(name);
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

  hasPodsBelow(priority: number): boolean {
    for (const other of this.priorities.keys()) if (other < priority) return true;
    return false;
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
