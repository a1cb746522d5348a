/** Conditions of a Job. Models: v1.24 pkg/controller/job ensureJobConditionStatus. */
import type { Job, JobCondition } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';

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
