/** The status that records a decision. Models: the ends of v1.24 pkg/controller/job syncJob and enactJobFinished. */
import type { Job, JobCondition, JobStatus } from '../../../apiserver/kinds/index.ts';
import { record, type EventText, type Outcome, type Write } from '../../runtime/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { withCondition, type Verdict } from './conditions.ts';
import { writeIndexes } from './index-texts.ts';
import { isIndexed, type JobInput, type JobMemory } from './input.ts';
import type { Observed } from './observe.ts';
import { track } from './tracking.ts';

export interface Decision {
  readonly why: string;
  /** Writes before that of the status. */
  readonly writes: readonly Write[];
  /** Active pods after these writes. */
  readonly active: number;
  /** How the Job ends, if it ends now. */
  readonly verdict?: Verdict;
  readonly conditions: readonly JobCondition[];
  readonly startTime: string | undefined;
  /** The event with the status write, unless there is one of the verdict. */
  readonly event?: EventText;
  readonly memory?: JobMemory;
}

/** The next status, and whether it differs from the stored one. */
interface Next {
  readonly counts: Pick<JobStatus, 'succeeded' | 'failed' | 'completedIndexes' | 'uncountedTerminatedPods'>;
  readonly changed: boolean;
  readonly ends: boolean;
  readonly settled: boolean;
  readonly writes: readonly Write[];
}

const NO_CONDITIONS: readonly JobCondition[] = [];
export const conditionsOf = (job: Job): readonly JobCondition[] => job.status.conditions ?? NO_CONDITIONS;

/** The decision's writes, with its status last. */
export function recordDecision(input: JobInput, observed: Observed, decision: Decision): Outcome<JobMemory> {
  const { self: job, now } = input;
  const next = observed.tracked ? byFinalizers(input, observed, decision) : byExistence(job, observed, decision);
  const verdict = next.ends ? decision.verdict : undefined;
  const conditions =
    verdict === undefined
      ? decision.conditions
      : withCondition(decision.conditions, verdict.type, 'True', verdict.reason, verdict.message, now);
  const changed =
    next.changed || conditions !== conditionsOf(job) || decision.active !== (job.status.active ?? 0) || observed.ready !== job.status.ready;
  const writes = [...decision.writes, ...next.writes];
  if (changed) {
    const status = statusOf(observed, decision, next.counts, conditions, verdict?.type === 'Complete' ? formatTime(now) : undefined);
    const event = verdict === undefined ? decision.event : endOf(job, verdict);
    if (verdict?.type === 'Complete' && (status.succeeded ?? 0) > (job.spec.completions ?? Infinity)) {
      writes.push(record(job, 'Warning', 'TooManySucceededPods', 'Too many succeeded pods running after completion count reached'));
    }
    writes.push({
      op: 'update',
      subresource: 'status',
      object: { ...job, status },
      ...(event === undefined ? undefined : { then: event }),
    });
  }
  return {
    why: decision.verdict === undefined || next.ends ? decision.why : `${decision.why} once its pods are counted`,
    writes,
    backoff: backoffOf(observed, next, changed, verdict !== undefined),
    ...(verdict !== undefined ? { memory: null } : decision.memory !== undefined ? { memory: decision.memory } : {}),
  };
}

/** Upstream returns an error from a sync with a new failure, so that the key backs off; any other recorded progress resets the count. */
function backoffOf({ tracked, hasNewFailure }: Observed, { settled }: Next, changed: boolean, ended: boolean): 'forget' | 'keep' | 'retry' {
  if (tracked ? !settled : !changed) return 'keep';
  return hasNewFailure && !ended ? 'retry' : 'forget';
}

function byExistence(job: Job, { succeeded, failed, completed, active }: Observed, { verdict }: Decision): Next {
  // Upstream's legacy accounting counts every pod that it deletes at the end as failed.
  const failedNow = verdict?.type === 'Failed' ? failed + active : failed;
  const changed = succeeded !== (job.status.succeeded ?? 0) || failedNow !== (job.status.failed ?? 0);
  return {
    counts: { succeeded, failed: failedNow, ...(isIndexed(job) ? { completedIndexes: writeIndexes(completed) } : {}) },
    changed,
    ends: verdict !== undefined,
    settled: true,
    writes: [],
  };
}

function byFinalizers(input: JobInput, observed: Observed, { verdict }: Decision): Next {
  const { counts, changed, settled, writes } = track(input, observed, verdict !== undefined);
  return { counts, changed, settled, writes, ends: verdict !== undefined && settled };
}

/** Zeros are omitted, as the API prints them. */
function statusOf(
  { ready }: Observed,
  { active, startTime }: Decision,
  { succeeded, failed, completedIndexes, uncountedTerminatedPods }: Next['counts'],
  conditions: readonly JobCondition[],
  completionTime: string | undefined,
): JobStatus {
  const status: { -readonly [K in keyof JobStatus]: JobStatus[K] } = {};
  if (conditions.length > 0) status.conditions = conditions;
  if (startTime !== undefined) status.startTime = startTime;
  if (completionTime !== undefined) status.completionTime = completionTime;
  if (active > 0) status.active = active;
  if (succeeded !== undefined && succeeded > 0) status.succeeded = succeeded;
  if (failed !== undefined && failed > 0) status.failed = failed;
  if (completedIndexes !== undefined && completedIndexes !== '') status.completedIndexes = completedIndexes;
  if (uncountedTerminatedPods !== undefined) status.uncountedTerminatedPods = uncountedTerminatedPods;
  if (ready !== undefined) status.ready = ready;
  return status;
}

const endOf = (job: Job, { type, reason, message }: Verdict): EventText =>
  type === 'Complete'
    ? { about: job, type: 'Normal', reason: 'Completed', message: 'Job completed' }
    : { about: job, type: 'Warning', reason, message };
