/**
 * Plugins by the resources of nodes: a node must have the pod's requests free, and more free resources give a higher score; nodes whose CPU
 * and memory would be used in equal parts, and nodes that have a pod's images already, are preferred. Models: v1.24 plugins/noderesources
 * balanced_allocation, fit, least_allocated.
 */
import { memo } from '../../../../engine/index.ts';
import type { NodeInfo, PodInfo } from '../node-info.ts';
import { MAX_SCORE, type Plugin, unschedulable, type Refusal } from '../plugin.ts';
import { type SpecInfo, withTag } from '../../../shared/index.ts';
import type { FeatureGates } from '../../../../apiserver/machinery/index.ts';
import { on } from '../cluster-events.ts';

const fraction = (requested: number, capacity: number): number => Math.min(requested / capacity, 1);

function balance({ spec: { requests, scoredCpuSlip } }: PodInfo, { allocatable, requested }: NodeInfo): number {
  // Without one of the two there is nothing to balance.
  if (allocatable.milliCpu === 0 || allocatable.memory === 0) return MAX_SCORE;
  const cpu = fraction(requested.milliCpu + requests.milliCpu + scoredCpuSlip, allocatable.milliCpu);
  const memory = fraction(requested.memory + requests.memory, allocatable.memory);
  return Math.trunc((1 - Math.abs((cpu - memory) / 2)) * MAX_SCORE);
}

export const balancedAllocation: Plugin = {
  name: 'NodeResourcesBalancedAllocation',
  local: true,
  events: {},
  weight: 1,
  scorerFor: (pod) => ({ score: (node) => balance(pod, node) }),
};

const MB = 1024 * 1024;
const LEAST = 23 * MB;
const MOST_PER_CONTAINER = 1000 * MB;

function sizeThere({ images }: SpecInfo, node: NodeInfo, allNodes: number): number {
  let sum = 0;
  for (const image of images) {
    const found = node.images?.get(withTag(image));
    // Images on few nodes count less, so that pods do not concentrate where an image was pulled first.
    if (found !== undefined) sum += Math.trunc(found.size * (found.nodes / allNodes));
  }
  return sum;
}

/**
 * Prefers nodes that have a pod's images already, weighted by their size and by the number of nodes with them. Models: v1.24
 * plugins/imagelocality.
 */
export const imageLocality: Plugin = {
  name: 'ImageLocality',
  events: {},
  weight: 1,
  scorerFor({ spec }, view, nodes) {
    if (view.model.marks.images.size === 0 || !nodes.some((node) => node.images !== undefined)) return 0;
    const most = MOST_PER_CONTAINER * spec.containers;
    const allNodes = view.model.nodes().length;
    return {
      score: (node) =>
        Math.trunc((MAX_SCORE * (Math.min(Math.max(sizeThere(spec, node, allNodes), LEAST), most) - LEAST)) / (most - LEAST)),
    };
  },
};

const NOTHING: readonly string[] = Object.freeze([]);

export function lackingResources({ requests }: SpecInfo, node: NodeInfo, gates: FeatureGates): readonly string[] {
  const tooMany = node.pods.size + 1 > node.allocatablePods;
  const { allocatable, requested } = node;
  // On an overcommitted node a resource refuses pods that do not request it, if they request anything.
  const asks = requests.milliCpu !== 0 || requests.memory !== 0 || requests.ephemeralStorage !== 0 || requests.others.size !== 0;
  const cpu = asks && requests.milliCpu > allocatable.milliCpu - requested.milliCpu;
  const memory = asks && requests.memory > allocatable.memory - requested.memory;
  const isolated = gates['LocalStorageCapacityIsolation'] !== false;
  const storage = isolated && asks && requests.ephemeralStorage > allocatable.ephemeralStorage - requested.ephemeralStorage;
  if (!tooMany && !cpu && !memory && !storage && requests.others.size === 0) return NOTHING;
  const lacking: string[] = [];
  if (tooMany) lacking.push('Too many pods');
  if (cpu) lacking.push('Insufficient cpu');
  if (memory) lacking.push('Insufficient memory');
  if (storage) lacking.push('Insufficient ephemeral-storage');
  for (const [name, amount] of requests.others) {
    if (amount > (allocatable.others.get(name) ?? 0) - (requested.others.get(name) ?? 0)) lacking.push(`Insufficient ${name}`);
  }
  return lacking;
}

const free = (requested: number, capacity: number): number =>
  capacity === 0 || requested > capacity ? 0 : Math.trunc(((capacity - requested) * MAX_SCORE) / capacity);

/** The mean percentage of free CPU and memory, of those that the node has. */
function leastAllocated({ spec }: PodInfo, { allocatable, nonZeroMilliCpu, nonZeroMemory }: NodeInfo): number {
  let sum = 0;
  let resources = 0;
  if (allocatable.milliCpu !== 0) {
    sum += free(nonZeroMilliCpu + spec.nonZeroMilliCpu + spec.scoredCpuSlip, allocatable.milliCpu);
    resources++;
  }
  if (allocatable.memory !== 0) {
    sum += free(nonZeroMemory + spec.nonZeroMemory, allocatable.memory);
    resources++;
  }
  return resources === 0 ? 0 : Math.trunc(sum / resources);
}

export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  local: true,
  events: { Pod: on('delete'), Node: on('add', 'allocatable') },
  filterFor({ spec }, { gates }) {
    // Most refusing nodes do so for the same reasons, so one refusal object is reused.
    const last = memo<{ refusal: Refusal | undefined }>({ refusal: undefined });
    return {
      check(node) {
        const lacking = lackingResources(spec, node, gates);
        if (lacking.length === 0) return undefined;
        const { refusal } = last;
        if (refusal?.reasons.length === 1 && lacking.length === 1 && refusal.reasons[0] === lacking[0]) return refusal;
        return (last.refusal = unschedulable(...lacking));
      },
    };
  },
  weight: 1,
  scorerFor: (pod) => ({ score: (node) => leastAllocated(pod, node) }),
};
