/**
 * A node and the sums over its pods, updated one pod at a time; the fields of a pod that scheduling reads; and the images on nodes. Models:
 * v1.24 pkg/scheduler/framework types (NodeInfo); pkg/scheduler/internal/cache imageStates.
 */
import type { Node, Pod } from '../../../apiserver/kinds/index.ts';
import { bump, unitsOf } from '../../../schema/values/index.ts';
import { addAmounts, amountsOf, emptyAmounts, type Amounts, requestsOf, type SpecInfo } from '../../shared/index.ts';
import { keyOf } from '../../../apiserver/machinery/index.ts';

export interface NodeInfo {
  readonly name: string;
  /** Undefined while there are pods on a node that is unknown, or gone. */
  node: Node | undefined;
  allocatable: Readonly<Amounts>;
  allocatablePods: number;
  readonly requested: Amounts;
  nonZeroMilliCpu: number;
  nonZeroMemory: number;
  /** By uid, in the order in which they were added. */
  readonly pods: Map<string, PodInfo>;
  /** The number of pods of each priority: shows without a loop whether preemption is possible. */
  readonly priorities: Map<number, number>;
  /** Host ports in use: `TCP/8080` → address → count. */
  readonly ports: Map<string, Map<string, number>>;
  /** Images that the node reports; undefined: none. */
  images: ReadonlyMap<string, ImageSummary> | undefined;
  /** It has changed since the last `takeStale`. */
  stale: boolean;
}

export function createNodeInfo(name: string): NodeInfo {
  return {
    name,
    node: undefined,
    allocatable: emptyAmounts(),
    allocatablePods: 0,
    requested: emptyAmounts(),
    nonZeroMilliCpu: 0,
    nonZeroMemory: 0,
    pods: new Map(),
    priorities: new Map(),
    ports: new Map(),
    images: undefined,
    stale: false,
  };
}

export function setNode(info: NodeInfo, node: Node): void {
  if (info.node?.status.allocatable !== node.status.allocatable || info.node === undefined) {
    info.allocatable = amountsOf(node.status.allocatable);
    info.allocatablePods = unitsOf(node.status.allocatable?.['pods'] ?? '0');
  }
  info.node = node;
}

function count(info: NodeInfo, pod: PodInfo, sign: 1 | -1): void {
  addAmounts(info.requested, pod.spec.requests, sign);
  info.nonZeroMilliCpu += sign * pod.spec.nonZeroMilliCpu;
  info.nonZeroMemory += sign * pod.spec.nonZeroMemory;
  bump(info.priorities, pod.priority, sign);
  for (const { ip, protocol, port } of pod.spec.hostPorts) {
    const at = `${protocol}/${port}`;
    let addresses = info.ports.get(at);
    if (addresses === undefined) info.ports.set(at, (addresses = new Map()));
    bump(addresses, ip, sign);
    if (addresses.size === 0) info.ports.delete(at);
  }
}

/** Adds a pod; a pod with the same uid is replaced. */
export function addPod(info: NodeInfo, pod: PodInfo): void {
  removePod(info, pod.uid);
  info.pods.set(pod.uid, pod);
  count(info, pod, 1);
}

export function removePod(info: NodeInfo, uid: string): boolean {
  const pod = info.pods.get(uid);
  if (pod === undefined) return false;
  info.pods.delete(uid);
  count(info, pod, -1);
  return true;
}

export function cloneNodeInfo(info: NodeInfo): NodeInfo {
  const ports = new Map<string, Map<string, number>>();
  for (const [at, addresses] of info.ports) ports.set(at, new Map(addresses));
  return {
    ...info,
    requested: { ...info.requested, others: new Map(info.requested.others) },
    pods: new Map(info.pods),
    priorities: new Map(info.priorities),
    ports,
  };
}

/** The fields of a pod that scheduling reads. Models: v1.24 pkg/scheduler/framework types (PodInfo). */
export interface PodInfo {
  readonly pod: Pod;
  readonly key: string;
  readonly uid: string;
  readonly spec: SpecInfo;
  readonly priority: number;
}

export function podInfo(pod: Pod, key: string = keyOf(pod)): PodInfo {
  return { pod, key, uid: pod.metadata.uid, spec: requestsOf(pod.spec), priority: pod.spec.priority ?? 0 };
}

/** An image on a node: its size, and how many nodes had it when this node last reported. */
interface ImageSummary {
  readonly size: number;
  readonly nodes: number;
}

export function createImageStates() {
  const known = new Map<string, { readonly size: number; readonly nodes: Set<string> }>();
  const reported = new Map<string, readonly string[]>();

  const drop = (node: string): void => {
    for (const name of reported.get(node) ?? []) {
      const state = known.get(name);
      state?.nodes.delete(node);
      if (state?.nodes.size === 0) known.delete(name);
    }
    reported.delete(node);
  };

  return {
    /** Updates with the images that a node reports (undefined: the node is gone); returns the summaries of its images, undefined: none. */
    set(name: string, node: Node | undefined): ReadonlyMap<string, ImageSummary> | undefined {
      const images = node?.status.images ?? [];
      if (images.length === 0 && !reported.has(name)) return undefined;
      drop(name);
      if (images.length === 0) return undefined;
      const summaries = new Map<string, ImageSummary>();
      for (const { names = [], sizeBytes = 0 } of images) {
        for (const image of names ?? []) {
          let state = known.get(image);
          if (state === undefined) known.set(image, (state = { size: sizeBytes, nodes: new Set() }));
          state.nodes.add(name);
          // As in upstream, the number of nodes is not updated when other nodes pull the image.
          summaries.set(image, { size: state.size, nodes: state.nodes.size });
        }
      }
      reported.set(name, [...summaries.keys()]);
      return summaries;
    },
  };
}
