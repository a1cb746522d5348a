/**
 * Which pods are the set's: those it manages and still selects, and selected ones nobody manages. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods.
 */
import { labelMatcher } from '../../../schema/values/index.ts';
import type { Write } from '../../runtime/index.ts';
import { adopt, disown, stillThere, unmanagedPods } from '../../shared/index.ts';
import { isDying, type SetInput } from './input.ts';
import { addPod, emptyPods, isActive, replicaPods, type ReplicaPods } from './pods.ts';

export interface Claim {
  /** The set's pods as they will be once the writes are made. */
  readonly pods: ReplicaPods;
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** Pods that have ended or are going are neither taken nor left. */
export function adoptPods({ self: set, cache }: SetInput): Claim {
  const matches = labelMatcher(set.spec.selector);
  const managed = cache.aggregate(replicaPods, set.metadata.uid);
  const orphans = isDying(set)
    ? []
    : cache
        .aggregate(unmanagedPods, set.metadata.namespace ?? '')
        .matching(matches)
        .filter(isActive);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // Rare: someone changed labels or left pods behind, so this once the pods are gone through one by one.
  const pods = emptyPods();
  const writes: Write[] = [];
  for (const pod of managed.active.values()) {
    if (matches(pod.metadata.labels)) addPod(pods, pod);
    else if (!isDying(set)) writes.push(disown(pod, [set.metadata.uid]));
  }
  if (orphans.length > 0) writes.push(stillThere(set));
  for (const pod of orphans) {
    writes.push(adopt(pod, set));
    addPod(pods, pod);
  }
  return { pods, writes };
}
