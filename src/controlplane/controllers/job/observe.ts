/**
 * What a sync of a Job reads: its input, its conditions, and the numbers that it decides by: active, ready, succeeded, failed, completed
 * indexes, start time. And its back-off after n requeues of its key: 0, then 10 s, 20 s, 40 s … at most six minutes. Models: v1.24
 * pkg/controller/job getStatus, calculateSucceededIndexes, ensureJobConditionStatus, getBackoff.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Job, JobStatus, Pod, JobCondition } from '../../../apiserver/kinds/index.ts';
import { formatTime, parseTime, present, unlessEmpty } from '../../../schema/values/index.ts';
import { countIndexes, mergeIndexes, readIndexes, hasIndex, writeIndexes } from './indexes.ts';
import { completionIndexOf, type JobPods } from './pods.ts';
import { type Outcome, type Write, type ReconcileInput, exponentialDelayMs } from '../../runtime/index.ts';
import { conditionOf, dropFinalizers, type Intervals } from '../../shared/index.ts';

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
  /** Completed indexes; none unless it is Indexed. */
  readonly completed: Intervals;
  /** The start of its active time: now, if it starts or resumes with this sync. */
  readonly startTime: string | undefined;
}

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

const recordedIndexes = ({ spec, status }: Job): Intervals =>
  status.completedIndexes === undefined ? [] : readIndexes(status.completedIndexes, spec.completions ?? 0);

function completedIndexes(job: Job, pods: JobPods, tracked: boolean): Intervals {
  const completions = job.spec.completions ?? 0;
  if (!tracked) return pods.succeededIndexes.intervalsBelow(completions);
  const added: number[] = [];
  const spent = spentIndexes(job, pods);
  for (const { first, last } of pods.toCountSucceededIndexes.intervalsBelow(completions))
    for (let index = first; index <= last; index++) if (!spent.has(index)) added.push(index);
  return added.length === 0 ? recordedIndexes(job) : mergeIndexes(recordedIndexes(job), added);
}

/** Indexes that succeeded only in pods already counted as failed, because these were being deleted when they were listed. */
function spentIndexes({ status: { uncountedTerminatedPods: { failed = [] } = {} } }: Job, { toCount }: JobPods): ReadonlySet<number> {
  const listed = new Set(failed);
  const spent = new Set<number>();
  for (const uid of failed) {
    const pod = toCount.get(uid);
    const index = pod?.status.phase === 'Succeeded' ? completionIndexOf(pod) : undefined;
    if (index !== undefined) spent.add(index);
  }
  if (spent.size === 0) return spent;
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

/** Upstream's MaxUncountedPods: keeps the uids in the status below 20 KB. */
const MOST_UNCOUNTED = 500;

/**
 * Counts terminated pods exactly, with finalizers: first a pod's uid is added to the status, then the finalizer is removed from the pod,
 * then the uid leaves the status while the counter increases. Each sync makes one step, decided from the cache, so that a crash at any
 * point neither loses nor doubles a count. Models: v1.24 pkg/controller/job trackJobStatusAndRemoveFinalizers, which makes the three steps
 * in one sync.
 */
export interface Counted {
  /** Removals of finalizers from pods that the stored status lists. */
  readonly writes: readonly Write[];
  readonly counts: Pick<JobStatus, 'succeeded' | 'failed' | 'completedIndexes' | 'uncountedTerminatedPods'>;
  readonly changed: boolean;
  /** Every terminated pod is counted. */
  readonly settled: boolean;
}

/** @param ending the Job ends with its pods: active ones count as failed. */
export function track(input: JobInput, { pods }: Observed, ending: boolean): Counted {
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
  const finalizers = [trackingKey(names)];
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
): Counted['counts'] {
  const { succeeded: soFar = 0, failed: failedSoFar = 0, completedIndexes } = job.status;
  const indexes = completed === undefined ? completedIndexes : writeIndexes(completed);
  return {
    succeeded: completed === undefined ? soFar + newlySucceeded : countIndexes(completed),
    failed: failedSoFar + newlyFailed,
    ...(indexes === undefined ? {} : { completedIndexes: indexes }),
    uncountedTerminatedPods: present({ succeeded: unlessEmpty(succeeded), failed: unlessEmpty(failed) }),
  };
}

export interface Verdict {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

/** Whether the Job's status says that it is suspended, independent of its spec. */
export const isRecordedSuspended = ({ status }: Job): boolean => conditionOf(status.conditions, 'Suspended')?.status === 'True';

const NO_CONDITIONS: readonly JobCondition[] = [];
export const conditionsOf = ({ status }: Job): readonly JobCondition[] => status.conditions ?? NO_CONDITIONS;

/** The conditions with one set; the same list if nothing changes. A condition that is absent is not added as False. */
export function withCondition(
  conditions: readonly JobCondition[],
  type: string,
  status: 'True' | 'False',
  reason: string,
  message: string,
  now: number,
): readonly JobCondition[] {
  const at = conditions.findIndex((condition) => condition.type === type);
  const before = conditions[at];
  if (before === undefined && status === 'False') return conditions;
  if (before?.status === status && (before.reason ?? '') === reason && (before.message ?? '') === message) return conditions;
  const time = formatTime(now);
  const next: JobCondition = {
    type,
    status,
    lastProbeTime: before === undefined ? time : before.lastProbeTime,
    lastTransitionTime: time,
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
  };
  return before === undefined ? [...conditions, next] : conditions.with(at, next);
}

/** The input of the Job controller, and its memory between syncs, which is lost with the process. */
export interface JobMemory {
  /** Creates of the outcome in flight, for the slow start. */
  readonly creating?: number;
  /** The verdict that is decided but not recorded yet, while pods with finalizers are counted. */
  readonly failing?: Verdict;
  /** The same for completion: pods that are still counted can no longer make the Job fail. */
  readonly completing?: true;
}

export type JobInput = ReconcileInput<Job, JobMemory>;

/** The finalizer of tracked pods, and the annotation of a Job that has them. */
export const trackingKey = (names: Names): string => names.key('batch', 'job-tracking');

export const isTracked = (job: Job, { gates, names }: Pick<JobInput, 'gates' | 'names'>): boolean =>
  gates['JobTrackingWithFinalizers'] === true && hasTrackingAnnotation(job, { names });
export const hasTrackingAnnotation = (job: Job, { names }: Pick<JobInput, 'names'>): boolean =>
  job.metadata.annotations?.[trackingKey(names)] !== undefined;
export const isIndexed = (job: Job): boolean => job.spec.completionMode === 'Indexed';
export const isSuspended = (job: Job): boolean => job.spec.suspend;

/** When a Job with this start time exceeds its active deadline, milliseconds; undefined: never. A suspended Job has no deadline. */
export function deadlineOf(job: Job, startTime: string | undefined): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || startTime === undefined || isSuspended(job)) return undefined;
  return parseTime(startTime) + activeDeadlineSeconds * 1000;
}

/** The outcome, with a wake-up at the active deadline. */
export function wakeAtDeadline(job: Job, startTime: string | undefined, now: number, outcome: Outcome<JobMemory>): Outcome<JobMemory> {
  const deadline = outcome.memory === null ? undefined : deadlineOf(job, startTime);
  return deadline === undefined || deadline <= now ? outcome : { wakeAt: deadline, ...outcome };
}

/** Also the back-off of the Job controller's work queue. */
export const JOB_BACKOFF: { readonly baseMs: number; readonly maxMs: number } = { baseMs: 10_000, maxMs: 360_000 };

export function getBackoff(requeues: number): number {
  return requeues <= 0 ? 0 : exponentialDelayMs(requeues - 1, JOB_BACKOFF.baseMs, JOB_BACKOFF.maxMs);
}
