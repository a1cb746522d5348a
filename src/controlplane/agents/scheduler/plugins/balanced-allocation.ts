/** Prefers nodes whose CPU and memory would be used in equal proportions. Models: v1.24 plugins/noderesources balanced_allocation. */
import type { NodeInfo } from '../node-info.ts';
import { MAX_SCORE, type Plugin } from '../plugin.ts';
import type { PodInfo } from '../pod-info.ts';

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
