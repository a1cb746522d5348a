/** A node and the sums over its pods, updated one pod at a time. Models: v1.24 pkg/scheduler/framework types (NodeInfo). */
import type { Node } from '../../../apiserver/kinds/index.ts';
import { unitsOf } from '../../../schema/values/index.ts';
import type { ImageSummary } from './image-states.ts';
import { addAmounts, amountsOf, emptyAmounts, type Amounts } from '../../shared/index.ts';
import type { PodInfo } from './pod-info.ts';

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

/** A node without pods. */
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

/** Updates the fields that depend on the Node object. */
export function setNode(info: NodeInfo, node: Node): void {
  if (info.node?.status.allocatable !== node.status.allocatable || info.node === undefined) {
    info.allocatable = amountsOf(node.status.allocatable);
    info.allocatablePods = unitsOf(node.status.allocatable?.['pods'] ?? '0');
  }
  info.node = node;
}

const bump = <K>(counts: Map<K, number>, key: K, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};

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

/** Removes a pod; returns whether it was there. */
export function removePod(info: NodeInfo, uid: string): boolean {
  const pod = info.pods.get(uid);
  if (pod === undefined) return false;
  info.pods.delete(uid);
  count(info, pod, -1);
  return true;
}

/** A copy for hypothetical changes. */
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
