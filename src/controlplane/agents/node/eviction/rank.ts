/**
 * The order of eviction: pods beyond their requests first, then lower priority, then the largest excess over the request. Models: v1.24
 * pkg/kubelet/eviction helpers.go.
 */
import type { Pod } from '../../../../apiserver/kinds/index.ts';
import { unitsOf } from '../../../../schema/values/index.ts';
import type { RunningPod } from './observe.ts';

type Reclaimed = 'memory' | 'ephemeral-storage' | 'pids';

const requestOf = ({ spec }: Pod, resource: Reclaimed): number =>
  spec.containers.reduce((sum, { resources }) => sum + unitsOf(resources?.requests?.[resource] ?? '0'), 0);

const usedOf = ({ used }: RunningPod, resource: Reclaimed): number =>
  resource === 'memory' ? used.memory : resource === 'pids' ? used.pids : used.disk;

const priorityOf = ({ pod }: RunningPod): number => pod.spec.priority ?? 0;

/** The pods in the order in which they would be evicted. */
export function ranked(runningPods: readonly RunningPod[], resource: Reclaimed): readonly RunningPod[] {
  const excess = (runningPod: RunningPod): number =>
    usedOf(runningPod, resource) - (resource === 'pids' ? 0 : requestOf(runningPod.pod, resource));
  const exceeds = (runningPod: RunningPod): number => (resource !== 'pids' && excess(runningPod) > 0 ? 0 : 1);
  return [...runningPods].sort((a, b) => exceeds(a) - exceeds(b) || priorityOf(a) - priorityOf(b) || excess(b) - excess(a));
}
