/**
 * Remembers what an attempt for a pod came to. While nothing has changed since, the next pod like it is refused for the same reasons:
 * a thousand pods waiting for one node cost one look at the cluster. Upstream has no such memory; nobody can tell the difference.
 */
import type { PodSpec } from '../../../apiserver/machinery/index.ts';
import type { Refused } from './placement.ts';
import type { Preemption } from './preemption.ts';
import { groupName } from './pod-groups.ts';
import type { PodInfo } from './pod-info.ts';

export interface RefusedAttempt {
  readonly placement: Refused;
  readonly preemption: Preemption;
  readonly message: string;
}

export interface EquivalenceCache {
  find(pod: PodInfo, version: number): RefusedAttempt | undefined;
  keep(pod: PodInfo, version: number, attempt: RefusedAttempt): void;
}

interface Kept {
  readonly version: number;
  readonly group: string;
  readonly attempt: RefusedAttempt;
}

/** Pods with claims named after themselves, or promised a node, are like no other. */
const isOneOfMany = ({ pod }: PodInfo): boolean =>
  (pod.status.nominatedNodeName ?? '') === '' && pod.spec.volumes?.some(({ ephemeral }) => ephemeral !== undefined) !== true;

/** Nothing remembered. */
export function createEquivalenceCache(): EquivalenceCache {
  const bySpec = new WeakMap<PodSpec, Kept>();
  return {
    find(pod, version) {
      const kept = bySpec.get(pod.pod.spec);
      return kept?.version === version && isOneOfMany(pod) && kept.group === groupName(pod.pod) ? kept.attempt : undefined;
    },
    keep(pod, version, attempt) {
      if (isOneOfMany(pod)) bySpec.set(pod.pod.spec, { version, group: groupName(pod.pod), attempt });
    },
  };
}
