/**
 * The numbers that a sync decides by: active, ready, succeeded, failed, completed indexes, start time. Models: v1.24 pkg/controller/job
 * getStatus, calculateSucceededIndexes.
 */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { isRecordedSuspended } from './conditions.ts';
import { countIndexes, mergeIndexes, type Intervals } from './indexes.ts';
import { readIndexes } from './index-texts.ts';
import { isIndexed, isSuspended, type JobInput } from './input.ts';
import { completionIndexOf, type JobPods } from './pods.ts';

export interface Observed {
  readonly pods: JobPods;
  readonly tracked: boolean;
  readonly active: number;
  /** Undefined while the gate is off. */
  readonly ready: number | undefined;
  readonly succeeded: number;
  readonly failed: number;
  /** There are failures that the status does not show yet. */
  readonly hasNewFailure: boolean;
  /** Indexed: completed indexes. */
  readonly completed: Intervals;
  /** The start of its active time: now, if it starts or resumes with this sync. */
  readonly startTime: string | undefined;
}

/** The numbers of a Job at this sync. */
export function observe({ self: job, gates, now }: JobInput, pods: JobPods, tracked: boolean): Observed {
  const completed = isIndexed(job) ? completedIndexes(job, pods, tracked) : [];
  const { succeeded, failed } = tracked ? countTracked(job, pods) : countExisting(job, pods);
  const begins = !isSuspended(job) && (job.status.startTime === undefined || isRecordedSuspended(job));
  return {
    pods,
    tracked,
    completed,
    failed,
    active: pods.active.size,
    ready: gates['JobReadyPods'] === true ? pods.ready : undefined,
    succeeded: isIndexed(job) ? countIndexes(completed) : succeeded,
    hasNewFailure: failed > (job.status.failed ?? 0),
    startTime: begins ? formatTime(now) : job.status.startTime,
  };
}

const NONE: Intervals = [];

/** The indexes in `status.completedIndexes`. */
export const recordedIndexes = ({ spec, status }: Job): Intervals =>
  status.completedIndexes === undefined ? NONE : readIndexes(status.completedIndexes, spec.completions ?? 0);

function completedIndexes(job: Job, pods: JobPods, tracked: boolean): Intervals {
  const completions = job.spec.completions ?? 0;
  if (!tracked) return pods.succeededIndexes.intervalsBelow(completions);
  const added: number[] = [];
  const spent = spentIndexes(job, pods);
  for (const { first, last } of pods.toCountSucceededIndexes.intervalsBelow(completions))
    for (let index = first; index <= last; index++) if (!spent.has(index)) added.push(index);
  return added.length === 0 ? recordedIndexes(job) : mergeIndexes(recordedIndexes(job), added);
}

const NOTHING: ReadonlySet<number> = new Set();

/** Indexes that succeeded only in pods already counted as failed, because these were being deleted when they were listed. */
function spentIndexes({ status: { uncountedTerminatedPods: { failed = [] } = {} } }: Job, { toCount }: JobPods): ReadonlySet<number> {
  const listed = new Set(failed);
  const spent = new Set<number>();
  for (const uid of failed) {
    const pod = toCount.get(uid);
    const index = pod?.status.phase === 'Succeeded' ? completionIndexOf(pod) : undefined;
    if (index !== undefined) spent.add(index);
  }
  if (spent.size === 0) return NOTHING;
  for (const pod of toCount.values())
    if (pod.status.phase === 'Succeeded' && !listed.has(pod.metadata.uid)) spent.delete(completionIndexOf(pod) ?? -1);
  return spent;
}

/** Without finalizers only existing pods count. */
function countExisting(job: Job, pods: JobPods): { readonly succeeded: number; readonly failed: number } {
  return { succeeded: pods.succeeded, failed: isIndexed(job) ? pods.failedIndexes.podsBelow(job.spec.completions ?? 0) : pods.failed };
}

/** With finalizers: pods counted in the status, pods listed there to be counted, and pods not listed yet. */
function countTracked(job: Job, pods: JobPods): { readonly succeeded: number; readonly failed: number } {
  const { succeeded = [], failed = [] } = job.status.uncountedTerminatedPods ?? {};
  const completions = job.spec.completions ?? 0;
  let newSucceeded = pods.toCountSucceeded;
  let newFailed = isIndexed(job) ? pods.toCountFailedIndexes.podsBelow(completions) : pods.toCountFailed;
  for (const uid of succeeded) if (pods.toCount.get(uid)?.status.phase === 'Succeeded') newSucceeded--;
  for (const uid of failed) {
    const pod = pods.toCount.get(uid);
    if (pod === undefined) continue;
    // The pod succeeded after it was listed as failed, but a pod counts only once.
    if (pod.status.phase === 'Succeeded') newSucceeded--;
    else if (!isIndexed(job) || (completionIndexOf(pod) ?? completions) < completions) newFailed--;
  }
  return {
    succeeded: (job.status.succeeded ?? 0) + succeeded.length + newSucceeded,
    failed: (job.status.failed ?? 0) + failed.length + newFailed,
  };
}
