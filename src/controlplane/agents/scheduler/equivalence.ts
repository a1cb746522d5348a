/**
 * The equivalence cache: the result of an attempt for a pod. While nothing has changed since, the next equivalent pod is refused for the
 * same reasons, so that a thousand pods waiting for one node cost one attempt. Upstream v1.24 has no such cache; results are identical
 * without it.
 */
import type { PodSpec } from '../../../apiserver/machinery/index.ts';
import type { Refused } from './placement.ts';
import type { Preemption } from './preemption.ts';
import { groupName } from './pod-groups.ts';
import type { PodInfo } from './node-info.ts';

export interface RefusedAttempt {
  readonly placement: Refused;
  readonly preemption: Preemption;
  readonly message: string;
}

interface Kept {
  readonly group: string;
  readonly attempt: RefusedAttempt;
}

/** Pods with claims of their own, or with a nominated node, have no equivalents. */
const isOneOfMany = ({ pod }: PodInfo): boolean =>
  (pod.status.nominatedNodeName ?? '') === '' && pod.spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) !== true;

/** An empty cache. It holds the attempts of one version, because those of an earlier one are of no use. */
export function createEquivalenceCache() {
  const bySpec = new Map<PodSpec, Kept>();
  const held = { version: 0 };
  return {
    find(pod: PodInfo, version: number): RefusedAttempt | undefined {
      const kept = held.version === version ? bySpec.get(pod.pod.spec) : undefined;
      return kept !== undefined && isOneOfMany(pod) && kept.group === groupName(pod.pod) ? kept.attempt : undefined;
    },
    keep(pod: PodInfo, version: number, attempt: RefusedAttempt): void {
      if (!isOneOfMany(pod)) return;
      if (held.version !== version) bySpec.clear();
      held.version = version;
      bySpec.set(pod.pod.spec, { group: groupName(pod.pod), attempt });
    },
  };
}
