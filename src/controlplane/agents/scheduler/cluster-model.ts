/**
 * The scheduler's cache of nodes and the pods on them: the state that its watches delivered, plus assumed pods, which it has just placed.
 * Models: v1.24 pkg/scheduler/internal/cache.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node } from '../../../apiserver/kinds/index.ts';
import {
  createImageStates,
  type ImageStates,
  addPod,
  createNodeInfo,
  removePod,
  setNode,
  type NodeInfo,
  type PodInfo,
} from './node-info.ts';
import { createNodeTree, type NodeTree, createTopology, type Topology } from './topology.ts';
import { createPodGroups, type PodGroups } from './pod-groups.ts';
import type { NodeMarks } from './plugin.ts';
import { accessors } from '../../../engine/index.ts';

const withMarks = accessors('softTaints', 'images');
const withVersion = accessors('version');

export interface PlacedPod {
  info: PodInfo;
  readonly node: string;
  assumed: boolean;
}

export interface ClusterModel {
  /** Nodes in the order in which filtering visits them. */
  nodes(): readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  setNode(node: Node): NodeInfo;
  removeNode(name: string): void;
  /** Assumes a pod on a node before the server confirms it. */
  assume(info: PodInfo, node: string): void;
  /** The server has the pod on that node. */
  confirm(info: PodInfo, node: string): void;
  /** The pod is no longer on a node. */
  remove(uid: string): PlacedPod | undefined;
  placed(uid: string): PlacedPod | undefined;
  /** Nodes that have changed since the last call. */
  takeStale(): readonly NodeInfo[];
  /** Whether any pod on a node has a lower priority. */
  hasPodsBelow(priority: number): boolean;
  readonly topology: Topology;
  readonly groups: PodGroups;
  readonly marks: NodeMarks;
  /** Increases with every change. */
  readonly version: number;
  /** State that the watch cache does not have: assumed pods, and the order of nodes. */
  describe(): unknown;
}

interface Model {
  readonly infos: Map<string, NodeInfo>;
  readonly placed: Map<string, PlacedPod>;
  readonly tree: NodeTree;
  readonly images: ImageStates;
  /** Pods on nodes by priority. */
  readonly priorities: Map<number, number>;
  readonly topology: Topology;
  readonly groups: PodGroups;
  readonly softlyTainted: Set<string>;
  readonly withImages: Set<string>;
  version: number;
  stale: NodeInfo[];
  /** The order of nodes for which `list` was built. */
  order: readonly string[] | undefined;
  list: readonly NodeInfo[];
}

const mark = (set: Set<string>, name: string, has: boolean): void => {
  if (has) set.add(name);
  else set.delete(name);
};

function infoOf({ infos }: Model, name: string): NodeInfo {
  let info = infos.get(name);
  if (info === undefined) infos.set(name, (info = createNodeInfo(name)));
  return info;
}

function changed({ stale }: Model, info: NodeInfo): void {
  if (info.stale) return;
  info.stale = true;
  stale.push(info);
}

function moved(model: Model, info: PodInfo, node: string, sign: 1 | -1): void {
  model.version++;
  model.groups.move(info, node, sign);
  const count = (model.priorities.get(info.priority) ?? 0) + sign;
  if (count === 0) model.priorities.delete(info.priority);
  else model.priorities.set(info.priority, count);
}

function relabel(model: Model, name: string, node: Node | undefined, before: Node | undefined): void {
  model.version++;
  model.topology.set(name, node);
  if (before === undefined || node === undefined || before.metadata.labels !== node.metadata.labels) model.groups.relabelled(name);
}

function remove(model: Model, uid: string): PlacedPod | undefined {
  const before = model.placed.get(uid);
  if (before === undefined) return undefined;
  model.placed.delete(uid);
  const info = model.infos.get(before.node);
  if (info !== undefined) {
    removePod(info, uid);
    changed(model, info);
    if (info.node === undefined && info.pods.size === 0) model.infos.delete(before.node);
  }
  moved(model, before.info, before.node, -1);
  return before;
}

/** Most updates of a pod on a node change nothing that is counted. */
const countsEquivalent = (a: PodInfo, b: PodInfo): boolean =>
  a.spec === b.spec &&
  a.priority === b.priority &&
  a.pod.spec.affinity === b.pod.spec.affinity &&
  a.pod.metadata.labels === b.pod.metadata.labels &&
  (a.pod.metadata.deletionTimestamp === undefined) === (b.pod.metadata.deletionTimestamp === undefined);

function put(model: Model, info: PodInfo, node: string, assumed: boolean): void {
  const { placed, infos } = model;
  const before = placed.get(info.uid);
  if (before?.node === node && countsEquivalent(before.info, info)) {
    before.info = info;
    before.assumed = assumed;
    infos.get(node)?.pods.set(info.uid, info);
    return;
  }
  remove(model, info.uid);
  placed.set(info.uid, { info, node, assumed });
  const there = infoOf(model, node);
  addPod(there, info);
  changed(model, there);
  moved(model, info, node, 1);
}

function nodesOf(model: Model): readonly NodeInfo[] {
  const wanted = model.tree.order();
  if (wanted !== model.order) {
    model.order = wanted;
    model.list = wanted.map((name) => infoOf(model, name));
  }
  return model.list;
}

function see(model: Model, node: Node): NodeInfo {
  const info = infoOf(model, node.metadata.name);
  const before = info.node;
  setNode(info, node);
  changed(model, info);
  relabel(model, info.name, node, before);
  info.images = model.images.set(info.name, node);
  mark(model.withImages, info.name, info.images !== undefined);
  mark(model.softlyTainted, info.name, node.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule') === true);
  model.tree.set(node);
  return info;
}

function removeNode(model: Model, name: string): void {
  model.tree.remove(name);
  model.images.set(name, undefined);
  model.withImages.delete(name);
  model.softlyTainted.delete(name);
  const info = model.infos.get(name);
  if (info === undefined) return;
  const before = info.node;
  info.node = undefined;
  relabel(model, name, undefined, before);
  if (info.pods.size === 0) model.infos.delete(name);
}

function takeStale(model: Model): readonly NodeInfo[] {
  const taken = model.stale;
  for (const info of taken) info.stale = false;
  model.stale = [];
  return taken;
}

function hasPodsBelow({ priorities }: Model, priority: number): boolean {
  for (const other of priorities.keys()) if (other < priority) return true;
  return false;
}

function emptyModel(names: Names): Model {
  const infos = new Map<string, NodeInfo>();
  return {
    infos,
    placed: new Map(),
    tree: createNodeTree(names),
    images: createImageStates(),
    priorities: new Map(),
    topology: createTopology(),
    groups: createPodGroups((name) => infos.get(name)?.node?.metadata.labels),
    softlyTainted: new Set(),
    withImages: new Set(),
    version: 0,
    stale: [],
    order: undefined,
    list: [],
  };
}

/** A cluster without nodes. */
export function createClusterModel(names: Names): ClusterModel {
  const model = emptyModel(names);
  const { topology, groups, softlyTainted, withImages } = model;
  return withVersion(
    { version: () => model.version },
    {
      nodes: () => nodesOf(model),
      node: (name) => {
        const info = model.infos.get(name);
        return info?.node === undefined ? undefined : info;
      },
      setNode: (node) => see(model, node),
      removeNode: (name) => removeNode(model, name),
      assume: (info, node) => put(model, info, node, true),
      confirm: (info, node) => put(model, info, node, false),
      remove: (uid) => remove(model, uid),
      takeStale: () => takeStale(model),
      placed: (uid) => model.placed.get(uid),
      hasPodsBelow: (priority) => hasPodsBelow(model, priority),
      describe: () => [[...model.placed].map(([uid, { node, assumed, info }]) => [uid, node, assumed, info.pod]), model.tree.order()],
      topology,
      groups,
      marks: withMarks({ softTaints: () => softlyTainted.size > 0, images: () => withImages.size > 0 }, {}),
    },
  );
}
