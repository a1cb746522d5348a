/**
 * The pods of a Job: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { adopt, removeOwners, stillThere, unmanagedPods } from '../../shared/index.ts';
import type { JobInput } from './input.ts';
import { addPod, emptyPods, jobPods, type JobPods } from './pods.ts';

export interface Claim {
  readonly pods: JobPods;
  /** Adoptions and releases. */
  readonly writes: readonly Write[];
}

/** The Job's pods as they will be after the writes. */
export function adoptPods({ self: job, cache, names }: JobInput, tracked: boolean): Claim {
  const matches = labelMatcher(job.spec.selector);
  const managed = cache.aggregate(jobPods, job.metadata.uid);
  const dying = job.metadata.deletionTimestamp !== undefined;
  const orphans = dying
    ? []
    : cache
        .aggregate(unmanagedPods, job.metadata.namespace ?? '')
        .matching(matches)
        .filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const strays = !managed.labels.allMatch(matches);
  if (orphans.length === 0 && !strays) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier Job left pods behind. All pods are counted once.
  const finalizers = tracked ? [names.key('batch', 'job-tracking')] : [];
  const pods = emptyPods();
  const writes: Write[] = [];
  for (const pod of cache.controlledBy('Pod', job)) {
    if (matches(pod.metadata.labels)) addPod(pods, pod);
    else if (!dying) writes.push(removeOwners(pod, [job.metadata.uid], finalizers));
  }
  if (orphans.length > 0) writes.push(stillThere(job));
  for (const pod of orphans) {
    writes.push(adopt(pod, job, finalizers));
    addPod(pods, withFinalizers(pod, finalizers));
  }
  return { pods, writes };
}

function withFinalizers(pod: Pod, more: readonly string[]): Pod {
  const own = pod.metadata.finalizers ?? [];
  const missing = more.filter((finalizer) => !own.includes(finalizer));
  return missing.length === 0 ? pod : { ...pod, metadata: { ...pod.metadata, finalizers: [...own, ...missing] } };
}
