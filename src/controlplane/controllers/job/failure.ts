/**
 * Whether a Job has failed: too many failures, or active for too long. Models: v1.24 pkg/controller/job syncJob, pastBackoffLimitOnFailure,
 * pastActiveDeadline.
 */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import type { Verdict } from './conditions.ts';
import { isSuspended } from './input.ts';
import type { Observed } from './observe.ts';

const BACKOFF_LIMIT: Verdict = { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
const DEADLINE: Verdict = { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };

/**
 * The instant at which a Job with this start time exceeds its active deadline, milliseconds; undefined: never. A suspended Job has no
 * deadline.
 */
export function deadlineOf(job: Job, startTime: string | undefined): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || startTime === undefined || isSuspended(job)) return undefined;
  return parseTime(startTime) + activeDeadlineSeconds * 1000;
}

/** Why the Job must be ended now, if it must. */
export function failureOf(job: Job, { active, failed, hasNewFailure, pods, startTime }: Observed, now: number): Verdict | undefined {
  const limit = job.spec.backoffLimit ?? 6;
  // As in upstream: while all pods are active the previous sync has failed midway, and the failure is not new.
  if (hasNewFailure && active !== (job.spec.parallelism ?? 1) && failed > limit) return BACKOFF_LIMIT;
  if (job.spec.template.spec.restartPolicy === 'OnFailure' && pods.restarts > 0 && pods.restarts >= limit) return BACKOFF_LIMIT;
  const deadline = deadlineOf(job, startTime);
  return deadline !== undefined && now >= deadline ? DEADLINE : undefined;
}
