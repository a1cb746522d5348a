/** A node must have what the pod asks for; the emptier it is afterwards, the better. Models: v1.24 plugins/noderesources fit, least_allocated. */
import { on } from '../cluster-events.ts';
import type { NodeInfo } from '../node-info.ts';
import { MAX_SCORE, unschedulable, type Plugin } from '../plugin.ts';
import type { PodInfo, SpecInfo } from '../pod-info.ts';

/** What is lacking for the pod, as users read it. */
export function lackingResources({ requests }: SpecInfo, node: NodeInfo): readonly string[] {
  const lacking: string[] = [];
  if (node.pods.size + 1 > node.allocatablePods) lacking.push('Too many pods');
  if (requests.milliCpu === 0 && requests.memory === 0 && requests.ephemeralStorage === 0 && requests.others.size === 0) return lacking;
  const { allocatable, requested } = node;
  // A node that promised too much refuses even nothing of it, to pods that ask for anything at all.
  if (requests.milliCpu > allocatable.milliCpu - requested.milliCpu) lacking.push('Insufficient cpu');
  if (requests.memory > allocatable.memory - requested.memory) lacking.push('Insufficient memory');
  if (requests.ephemeralStorage > allocatable.ephemeralStorage - requested.ephemeralStorage) lacking.push('Insufficient ephemeral-storage');
  for (const [name, amount] of requests.others) {
    if (amount > (allocatable.others.get(name) ?? 0) - (requested.others.get(name) ?? 0)) lacking.push(`Insufficient ${name}`);
  }
  return lacking;
}

const free = (requested: number, capacity: number): number => (capacity === 0 || requested > capacity ? 0 : Math.trunc(((capacity - requested) * MAX_SCORE) / capacity));

/** The mean of the free hundredths of cpu and memory, of those the node has at all. */
function leastAllocated({ spec }: PodInfo, { allocatable, nonZeroMilliCpu, nonZeroMemory }: NodeInfo): number {
  let sum = 0;
  let resources = 0;
  if (allocatable.milliCpu !== 0) { sum += free(nonZeroMilliCpu + spec.nonZeroMilliCpu, allocatable.milliCpu); resources++; }
  if (allocatable.memory !== 0) { sum += free(nonZeroMemory + spec.nonZeroMemory, allocatable.memory); resources++; }
  return resources === 0 ? 0 : Math.trunc(sum / resources);
}

export const nodeResourcesFit: Plugin = {
  name: 'NodeResourcesFit',
  events: { Pod: on('delete'), Node: on('add', 'allocatable') },
  filterFor: ({ spec }) => ({
    filter: {
      check(node) {
        const lacking = lackingResources(spec, node);
        return lacking.length === 0 ? undefined : unschedulable(...lacking);
      },
    },
  }),
  weight: 1,
  scorerFor: (pod) => ({ score: (node) => leastAllocated(pod, node) }),
};
