/**
 * Counts terminated pods exactly, with finalizers: first a pod's uid is added to the status, then the finalizer is removed from the pod,
 * then the uid leaves the status while the counter increases. Each sync makes one step, decided from the cache, so that a crash at any
 * point neither loses nor doubles a count. Models: v1.24 pkg/controller/job trackJobStatusAndRemoveFinalizers, which makes the three steps
 * in one sync.
 */
import type { Job, JobStatus, Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { dropFinalizers } from '../../shared/index.ts';
import { countIndexes, hasIndex, mergeIndexes, type Intervals } from './indexes.ts';
import { writeIndexes } from './index-texts.ts';
import { isIndexed, type JobInput } from './input.ts';
import { recordedIndexes, type Observed } from './observe.ts';
import { completionIndexOf } from './pods.ts';

/** Upstream's MaxUncountedPods: keeps the uids in the status below 20 KB. */
const MOST_UNCOUNTED = 500;

export interface Tracking {
  /** Removals of finalizers from pods that the stored status lists. */
  readonly writes: readonly Write[];
  readonly counts: Pick<JobStatus, 'succeeded' | 'failed' | 'completedIndexes'> & {
    readonly uncountedTerminatedPods: NonNullable<JobStatus['uncountedTerminatedPods']>;
  };
  readonly changed: boolean;
  /** Every terminated pod is counted. */
  readonly settled: boolean;
}

/** @param ending the Job ends with its pods: active ones count as failed. */
export function track(input: JobInput, { pods }: Observed, ending: boolean): Tracking {
  const { self: job, names, expectationsSatisfied } = input;
  const before = job.status.uncountedTerminatedPods ?? {};
  // Removed finalizers may still be in the cache: the next step waits until the cache shows all of them removed.
  if (!expectationsSatisfied)
    return { writes: [], counts: { ...job.status, uncountedTerminatedPods: before }, changed: false, settled: false };
  const succeeded = (before.succeeded ?? []).filter((uid) => pods.tracked.has(uid));
  const failed = (before.failed ?? []).filter((uid) => pods.tracked.has(uid));
  const newlySucceeded = (before.succeeded?.length ?? 0) - succeeded.length;
  const newlyFailed = (before.failed?.length ?? 0) - failed.length;

  const dying = job.metadata.deletionTimestamp !== undefined;
  const known = new Set([...succeeded, ...failed]);
  const recorded = recordedIndexes(job);
  const newIndexes = new Set<number>();
  const writes: Write[] = [];
  const finalizers = [names.key('batch', 'job-tracking')];
  let waiting = false;
  let taken = known.size;
  const toHandle = ending || dying ? pods.tracked : pods.toCount;
  for (const pod of toHandle.values()) {
    const { uid } = pod.metadata;
    const as = known.has(uid) ? 'counted' : roleOf(job, pod, recorded, ending);
    if (as === 'counted') {
      writes.push(dropFinalizers(pod, finalizers));
      continue;
    }
    waiting = true;
    if (taken >= MOST_UNCOUNTED) break;
    if (typeof as === 'number') newIndexes.add(as);
    else if (as === 'succeeded') succeeded.push(uid);
    else failed.push(uid);
    taken++;
  }

  const completed =
    newIndexes.size === 0
      ? undefined
      : mergeIndexes(
          recorded,
          [...newIndexes].sort((a, b) => a - b),
        );
  return {
    writes,
    counts: countsOf(job, completed, newlySucceeded, newlyFailed, succeeded, failed),
    changed: newlySucceeded + newlyFailed > 0 || succeeded.length + failed.length > known.size || completed !== undefined,
    settled: !waiting && known.size === 0 && writes.length === 0,
  };
}

/** How a pod with the finalizer is to be counted; `counted`: not at all, or it is counted already. A number is a newly completed index. */
function roleOf(job: Job, pod: Pod, recorded: Intervals, ending: boolean): 'counted' | 'succeeded' | 'failed' | number {
  const completions = job.spec.completions ?? 0;
  const index = completionIndexOf(pod);
  const invalid = isIndexed(job) && (index === undefined || index >= completions);
  if (pod.status.phase === 'Succeeded') {
    if (!isIndexed(job)) return 'succeeded';
    return index === undefined || invalid || hasIndex(recorded, index) ? 'counted' : index;
  }
  const fails = pod.status.phase === 'Failed' || pod.metadata.deletionTimestamp !== undefined || ending;
  return fails && !invalid ? 'failed' : 'counted';
}

function countsOf(
  job: Job,
  completed: Intervals | undefined,
  newlySucceeded: number,
  newlyFailed: number,
  succeeded: readonly string[],
  failed: readonly string[],
): Tracking['counts'] {
  const { succeeded: soFar = 0, failed: failedSoFar = 0, completedIndexes } = job.status;
  const indexes = completed === undefined ? completedIndexes : writeIndexes(completed);
  return {
    succeeded: completed === undefined ? soFar + newlySucceeded : countIndexes(completed),
    failed: failedSoFar + newlyFailed,
    ...(indexes === undefined ? {} : { completedIndexes: indexes }),
    uncountedTerminatedPods: { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) },
  };
}
