/**
 * The status that records a decision, whether a Job has failed (too many failures, or active for too long), and what is done when a write
 * of a sync was refused: an event, the remaining writes that upstream's parallel batches would have sent, the status reached, and back-off.
 * Models: the ends of v1.24 pkg/controller/job syncJob and enactJobFinished, syncJob, pastBackoffLimitOnFailure, pastActiveDeadline,
 * manageJob (slow start), pkg/controller/controller_utils.go RealPodControl.
 */
import type { Job, JobCondition, JobStatus } from '../../../apiserver/kinds/index.ts';
import { record, type EventText, type Outcome, type Write, type Failure, type RecoverInput } from '../../runtime/index.ts';
import { formatTime, parseTime } from '../../../schema/values/index.ts';
import { withCondition, type Verdict, isIndexed, type JobInput, type JobMemory, isSuspended, type Observed, track } from './observe.ts';
import { writeIndexes } from './indexes.ts';
import { namespaceTerminates, refusedPod } from '../../shared/index.ts';

interface Decision {
  readonly why: string;
  /** Writes before that of the status. */
  readonly writes: readonly Write[];
  /** Active pods after these writes. */
  readonly active: number;
  readonly verdict?: Verdict;
  readonly conditions: readonly JobCondition[];
  readonly startTime: string | undefined;
  /** The event with the status write, unless there is one of the verdict. */
  readonly event?: EventText | undefined;
  readonly memory?: JobMemory | undefined;
}

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

const BACKOFF_LIMIT: Verdict = { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
const DEADLINE: Verdict = { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };

/** When a Job with this start time exceeds its active deadline, milliseconds; undefined: never. A suspended Job has no deadline. */
export function deadlineOf(job: Job, startTime: string | undefined): number | undefined {
  const { activeDeadlineSeconds } = job.spec;
  if (activeDeadlineSeconds === undefined || startTime === undefined || isSuspended(job)) return undefined;
  return parseTime(startTime) + activeDeadlineSeconds * 1000;
}

export function failureOf(job: Job, { active, failed, hasNewFailure, pods, startTime }: Observed, now: number): Verdict | undefined {
  const limit = job.spec.backoffLimit ?? 6;
  // As in upstream: while all pods are active the previous sync has failed midway, and the failure is not new.
  if (hasNewFailure && active !== (job.spec.parallelism ?? 1) && failed > limit) return BACKOFF_LIMIT;
  if (job.spec.template.spec.restartPolicy === 'OnFailure' && pods.restarts > 0 && pods.restarts >= limit) return BACKOFF_LIMIT;
  const deadline = deadlineOf(job, startTime);
  return deadline !== undefined && now >= deadline ? DEADLINE : undefined;
}

type StatusWrite = Extract<Write, { readonly op: 'update' }>;

export function recoverJob(input: RecoverInput<'Job', JobMemory>, failure: Failure): Outcome<JobMemory> | undefined {
  const { self: job, now, memory } = input;
  const { write } = failure;
  if (job === undefined) return undefined;
  const outcome =
    write.op === 'create'
      ? afterRefusedCreate(job, memory ?? {}, failure)
      : write.op === 'delete'
        ? afterRefusedDelete(job, memory ?? {}, failure)
        : undefined;
  const deadline = deadlineOf(job, job.status.startTime);
  return outcome === undefined || deadline === undefined || deadline <= now ? outcome : { wakeAt: deadline, ...outcome };
}

function afterRefusedCreate(job: Job, memory: JobMemory, failure: Failure): Outcome<JobMemory> {
  if (namespaceTerminates(failure.status))
    return { why: 'its namespace is being deleted, so no pod can be created', writes: [], backoff: 'keep' };
  const { dropped } = failure;
  const left = dropped.filter(({ op }) => op === 'create');
  const { why, event, batchMates, creates } = refusedPod(job, failure, memory.creating);
  return {
    why,
    writes: [event, ...batchMates, ...withActive(job, statusWriteOf(dropped), batchMates.length - left.length - 1)],
    memory: { ...memory, creating: creates },
    backoff: 'retry',
  };
}

function afterRefusedDelete(job: Job, memory: JobMemory, failure: Failure): Outcome<JobMemory> {
  const { dropped } = failure;
  const { why, event } = refusedPod(job, failure, undefined);
  const statusWrite = statusWriteOf(dropped);
  // A Job does not end while one of its pods would continue to run.
  const ends =
    memory.failing !== undefined ||
    plannedStatus(statusWrite)?.conditions?.some(({ type, status: is }) => type === 'Failed' && is === 'True') === true;
  const rest = ends ? [] : [...dropped.filter((write) => write !== statusWrite), ...withActive(job, statusWrite, 1)];
  return { why, writes: [event, ...rest], backoff: 'retry' };
}

const statusWriteOf = (writes: readonly Write[]): StatusWrite | undefined =>
  writes.find((write): write is StatusWrite => write.op === 'update' && write.subresource === 'status');
const plannedStatus = (write: StatusWrite | undefined): JobStatus | undefined => write?.object['status'] as JobStatus | undefined;

/** The planned status with another number of active pods, if that is a change. */
function withActive(job: Job, write: StatusWrite | undefined, by: number): readonly Write[] {
  const planned = plannedStatus(write);
  if (write === undefined || planned === undefined) return [];
  const { active: _, ...rest } = planned;
  const active = Math.max(0, (planned.active ?? 0) + by);
  const status: JobStatus = active === 0 ? rest : { ...rest, active };
  return sameProgress(job.status, status) ? [] : [{ ...write, object: { ...write.object, status } }];
}

/** As in upstream: a new start time alone is not written. */
const sameProgress = (a: JobStatus, b: JobStatus): boolean =>
  (a.active ?? 0) === (b.active ?? 0) &&
  (a.succeeded ?? 0) === (b.succeeded ?? 0) &&
  (a.failed ?? 0) === (b.failed ?? 0) &&
  a.ready === b.ready &&
  a.conditions === b.conditions &&
  (a.completedIndexes ?? '') === (b.completedIndexes ?? '') &&
  a.uncountedTerminatedPods === b.uncountedTerminatedPods;
