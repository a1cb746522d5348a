/** Nodes and the pods on them as the scheduler believes them to be: what its watches delivered, plus pods it has just placed (assumed). Models: v1.24 pkg/scheduler/internal/cache. */
import type { Names } from '../../../apiserver/vocabulary/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import { createImageStates } from './image-states.ts';
import { addPod, createNodeInfo, removePod, setNode, type NodeInfo } from './node-info.ts';
import { createNodeTree } from './node-tree.ts';
import { createPodGroups, type PodGroups } from './pod-groups.ts';
import type { PodInfo } from './pod-info.ts';
import { createTopology, type Topology } from './topology.ts';
import type { NodeMarks } from './view.ts';

export interface PlacedPod {
  readonly info: PodInfo;
  readonly node: string;
  readonly assumed: boolean;
}

export interface ClusterModel {
  /** Nodes in the order they are looked at. */
  nodes(): readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  setNode(node: Node): NodeInfo;
  removeNode(name: string): void;
  /** Takes a pod to be on a node before the server says so. */
  assume(info: PodInfo, node: string): void;
  /** The server's word: the pod is on that node. */
  confirm(info: PodInfo, node: string): void;
  /** The pod is on no node. */
  remove(uid: string): PlacedPod | undefined;
  placed(uid: string): PlacedPod | undefined;
  /** Nodes that have changed since the last call. */
  takeStale(): readonly NodeInfo[];
  /** Whether any pod on a node is less important. */
  hasPodsBelow(priority: number): boolean;
  readonly topology: Topology;
  readonly groups: PodGroups;
  readonly marks: NodeMarks;
  /** Grows with every change. */
  readonly version: number;
}

/** A cluster without nodes. */
export function createClusterModel(names: Names): ClusterModel {
  const infos = new Map<string, NodeInfo>();
  const placed = new Map<string, PlacedPod>();
  const tree = createNodeTree(names);
  const images = createImageStates();
  const priorities = new Map<number, number>();
  const topology = createTopology();
  const groups = createPodGroups((name) => infos.get(name)?.node?.metadata.labels);
  const softlyTainted = new Set<string>();
  const withImages = new Set<string>();
  const mark = (set: Set<string>, name: string, has: boolean): void => {
    if (has) set.add(name);
    else set.delete(name);
  };
  let version = 0;
  let stale: NodeInfo[] = [];
  let order: readonly string[] | undefined;
  let list: readonly NodeInfo[] = [];

  const infoOf = (name: string): NodeInfo => {
    let info = infos.get(name);
    if (info === undefined) infos.set(name, (info = createNodeInfo(name)));
    return info;
  };
  const changed = (info: NodeInfo): void => {
    if (info.stale) return;
    info.stale = true;
    stale.push(info);
  };
  const moved = (info: PodInfo, node: string, sign: 1 | -1): void => {
    version++;
    groups.move(info, node, sign);
    const count = (priorities.get(info.priority) ?? 0) + sign;
    if (count === 0) priorities.delete(info.priority);
    else priorities.set(info.priority, count);
  };
  const relabel = (name: string, node: Node | undefined, before: Node | undefined): void => {
    version++;
    topology.set(name, node);
    if (before === undefined || node === undefined || before.metadata.labels !== node.metadata.labels) groups.relabelled(name);
  };
  const remove = (uid: string): PlacedPod | undefined => {
    const before = placed.get(uid);
    if (before === undefined) return undefined;
    placed.delete(uid);
    const info = infos.get(before.node);
    if (info !== undefined) {
      removePod(info, uid);
      changed(info);
      if (info.node === undefined && info.pods.size === 0) infos.delete(before.node);
    }
    moved(before.info, before.node, -1);
    return before;
  };
  /** Most updates of a pod on a node change nothing that is counted. */
  const countsAlike = (a: PodInfo, b: PodInfo): boolean =>
    a.spec === b.spec &&
    a.priority === b.priority &&
    a.pod.spec.affinity === b.pod.spec.affinity &&
    a.pod.metadata.labels === b.pod.metadata.labels &&
    (a.pod.metadata.deletionTimestamp === undefined) === (b.pod.metadata.deletionTimestamp === undefined);
  const put = (info: PodInfo, node: string, assumed: boolean): void => {
    const before = placed.get(info.uid);
    if (before?.node === node && countsAlike(before.info, info)) {
      placed.set(info.uid, { info, node, assumed });
      infos.get(node)?.pods.set(info.uid, info);
      return;
    }
    remove(info.uid);
    placed.set(info.uid, { info, node, assumed });
    const there = infoOf(node);
    addPod(there, info);
    changed(there);
    moved(info, node, 1);
  };

  return {
    nodes() {
      const wanted = tree.order();
      if (wanted !== order) {
        order = wanted;
        list = wanted.map(infoOf);
      }
      return list;
    },
    node: (name) => {
      const info = infos.get(name);
      return info?.node === undefined ? undefined : info;
    },
    setNode(node) {
      const info = infoOf(node.metadata.name);
      const before = info.node;
      setNode(info, node);
      changed(info);
      relabel(info.name, node, before);
      info.images = images.set(info.name, node);
      mark(withImages, info.name, info.images !== undefined);
      mark(softlyTainted, info.name, node.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule') === true);
      tree.set(node);
      return info;
    },
    removeNode(name) {
      tree.remove(name);
      images.set(name, undefined);
      withImages.delete(name);
      softlyTainted.delete(name);
      const info = infos.get(name);
      if (info === undefined) return;
      const before = info.node;
      info.node = undefined;
      relabel(name, undefined, before);
      if (info.pods.size === 0) infos.delete(name);
    },
    assume: (info, node) => put(info, node, true),
    confirm: (info, node) => put(info, node, false),
    remove,
    takeStale() {
      const taken = stale;
      for (const info of taken) info.stale = false;
      stale = [];
      return taken;
    },
    placed: (uid) => placed.get(uid),
    hasPodsBelow(priority) {
      for (const other of priorities.keys()) if (other < priority) return true;
      return false;
    },
    topology,
    groups,
    marks: {
      get softTaints() {
        return softlyTainted.size > 0;
      },
      get images() {
        return withImages.size > 0;
      },
    },
    get version() {
      return version;
    },
  };
}
