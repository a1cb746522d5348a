/**
 * The pods of a Job: those that it controls and still selects, and those that it can adopt. Models: v1.24 pkg/controller
 * PodControllerRefManager.ClaimPods.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import { claim, podsToAdopt } from '../../shared/index.ts';
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
  const orphans = podsToAdopt(job, cache, matches);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier Job left pods behind. All pods are counted once.
  const finalizers = tracked ? [names.key('batch', 'job-tracking')] : [];
  const belongs = ({ metadata }: Pod): boolean => matches(metadata.labels);
  const { kept, writes } = claim(job, cache.controlledBy('Pod', job), belongs, orphans, { finalizers });
  const pods = emptyPods();
  for (const pod of kept) addPod(pods, pod);
  for (const pod of orphans) addPod(pods, withFinalizers(pod, finalizers));
  return { pods, writes };
}

function withFinalizers(pod: Pod, more: readonly string[]): Pod {
  const own = pod.metadata.finalizers ?? [];
  const missing = more.filter((finalizer) => !own.includes(finalizer));
  return missing.length === 0 ? pod : { ...pod, metadata: { ...pod.metadata, finalizers: [...own, ...missing] } };
}
