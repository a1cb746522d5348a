/**
 * The conditions of a Job, the input of its controller, and its back-off after n requeues of its key: 0, then 10 s, 20 s, 40 s … at most
 * six minutes. Models: v1.24 pkg/controller/job ensureJobConditionStatus, getBackoff.
 */
import type { Job, JobCondition } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { type ReconcileInput, exponentialDelayMs } from '../../runtime/index.ts';

export interface Verdict {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

const isTrue = (job: Job, type: string): boolean =>
  job.status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;

/** Whether the Job's status says that it is suspended, independent of its spec. */
export const isRecordedSuspended = (job: Job): boolean => isTrue(job, 'Suspended');

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
  if (before === undefined) return status === 'False' ? conditions : [...conditions, newCondition(type, status, reason, message, now)];
  if (before.status === status && (before.reason ?? '') === reason && (before.message ?? '') === message) return conditions;
  return conditions.with(at, { ...newCondition(type, status, reason, message, now), lastProbeTime: before.lastProbeTime });
}

function newCondition(type: string, status: string, reason: string, message: string, now: number): JobCondition {
  const time = formatTime(now);
  return {
    type,
    status,
    lastProbeTime: time,
    lastTransitionTime: time,
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
  };
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

/** Whether the Job's pods are tracked with finalizers. */
export const isTracked = (job: Job, { gates, names }: Pick<JobInput, 'gates' | 'names'>): boolean =>
  gates['JobTrackingWithFinalizers'] === true && hasTrackingAnnotation(job, { names });
export const hasTrackingAnnotation = (job: Job, { names }: Pick<JobInput, 'names'>): boolean =>
  job.metadata.annotations?.[names.key('batch', 'job-tracking')] !== undefined;
export const isIndexed = (job: Job): boolean => job.spec.completionMode === 'Indexed';
export const isSuspended = (job: Job): boolean => job.spec.suspend;

/** Also the back-off of the Job controller's work queue. */
export const JOB_BACKOFF: { readonly baseMs: number; readonly maxMs: number } = { baseMs: 10_000, maxMs: 360_000 };

/** The delay in milliseconds. */
export function getBackoff(requeues: number): number {
  return requeues <= 0 ? 0 : exponentialDelayMs(requeues - 1, JOB_BACKOFF.baseMs, JOB_BACKOFF.maxMs);
}
