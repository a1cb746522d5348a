/** The number of pods to create or to delete now. Models: v1.24 pkg/controller/job manageJob. */
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import { remove, type Write } from '../../runtime/index.ts';
import { dropFinalizers } from '../../shared/index.ts';
import { firstPendingIndexes } from './indexes.ts';
import { isIndexed, isSuspended, type JobInput } from './input.ts';
import type { Observed } from './observe.ts';
import { hasTrackingFinalizer } from './pods.ts';
import { podsToRemove } from './removal.ts';
import { createPod } from './template.ts';

/** Upstream's MaxPodCreateDeletePerSync: larger Jobs take several syncs. */
const MOST_PER_SYNC = 500;

export interface Plan {
  readonly writes: readonly Write[];
  /** The number of active pods after the writes. */
  readonly active: number;
  readonly creates: number;
  readonly deletes: number;
}

/** Deletes a pod, with an event. */
export const deletePod = (job: Job, pod: Pod): Write =>
  remove(pod, { then: { about: job, type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${pod.metadata.name}` } });

/** Plans the creations and deletions of one sync. */
export function planPods(input: JobInput, observed: Observed): Plan {
  const { self: job, names } = input;
  const { active } = observed;
  const wanted = isSuspended(job) ? 0 : wantedActive(job, observed);
  const surplus = podsToRemove(job, observed.pods, Math.max(0, active - wanted));
  const toDelete = isSuspended(job) ? surplus : surplus.slice(0, MOST_PER_SYNC);
  if (toDelete.length > 0) {
    // The finalizer is removed first, because a surplus pod does not count as failed.
    const tracking = [names.key('batch', 'job-tracking')];
    const writes = toDelete.flatMap((pod) =>
      hasTrackingFinalizer(pod) ? [dropFinalizers(pod, tracking), deletePod(job, pod)] : [deletePod(job, pod)],
    );
    return { writes, active: active - toDelete.length, creates: 0, deletes: toDelete.length };
  }
  const missing = Math.min(Math.max(0, wanted - active), MOST_PER_SYNC);
  if (missing === 0) return { writes: [], active, creates: 0, deletes: 0 };
  const writes = indexesFor(job, observed, missing).map((index) => createPod(job, index, observed.tracked, names));
  return { writes, active: active + writes.length, creates: writes.length, deletes: 0 };
}

function wantedActive(job: Job, { active, succeeded }: Observed): number {
  const { completions, parallelism = 1 } = job.spec;
  // The pods of a work queue know when the work is done: no pod is created after the first success.
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

function indexesFor(job: Job, { completed, pods }: Observed, count: number): readonly (number | undefined)[] {
  if (!isIndexed(job)) return new Array<undefined>(count).fill(undefined);
  const completions = job.spec.completions ?? 0;
  return firstPendingIndexes(count, completed, pods.activeIndexes.intervalsBelow(completions), completions);
}
