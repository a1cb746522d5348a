/**
 * Runs pods until a Job's work is done: NonIndexed, Indexed and work queues, with retries, deadlines and suspension; and the status that
 * records each decision. Models: v1.24 pkg/controller/job syncJob, enactJobFinished, pastBackoffLimitOnFailure, pastActiveDeadline. Differs:
 * activeDeadlineSeconds is enforced when it elapses, and counts from the resume; exact counting takes one sync per step (`track`); a Job
 * tracked by finalizers ends only once its cache shows the controller's own writes.
 */
import type { Job, JobCondition, JobStatus } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, record, watch, write, type EventText, type Outcome, type Write } from '../../runtime/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import { deletePodOf, finishedCondition, mergePatch, unmanagedPods } from '../../shared/index.ts';
import {
  conditionsOf,
  deadlineOf,
  hasTrackingAnnotation,
  isIndexed,
  isRecordedSuspended,
  isSuspended,
  isTracked,
  JOB_BACKOFF,
  observe,
  track,
  trackingKey,
  wakeAtDeadline,
  withCondition,
} from './observe.ts';
import type { Counted, JobInput, JobMemory, Observed, Verdict } from './observe.ts';
import { adoptPods, jobsOfPod, manualJobs, planPods, type Plan } from './owned.ts';
import { jobPods } from './pods.ts';
import { recoverJob } from './recover.ts';
import { writeIndexes } from './indexes.ts';

type Claim = ReturnType<typeof adoptPods>;

const COMPLETE: Verdict = { type: 'Complete', reason: '', message: '' };

export const job = defineController<'Job', JobMemory>({
  name: 'job',
  component: 'job-controller',
  reconciles: 'Job',
  writes: ['Job', 'Pod'],
  watches: [watch('Pod', jobsOfPod, { predicate: { owners: ['Job', ''] } })],
  aggregates: [jobPods, unmanagedPods, manualJobs],
  backoff: JOB_BACKOFF,
  models:
    'Complete. Reads the API server before adoption. Creates of one sync are sent one after another; upstream sends a batch at once. Upstream: pkg/controller/job.',
  recover: recoverJob,
  reconcile(input) {
    const { self: job } = input;
    if (finishedCondition(job) !== undefined) return { memory: null, ...idle('it has finished') };
    if (job.spec.completionMode !== undefined && job.spec.completionMode !== 'NonIndexed' && !isIndexed(job)) return skipUnknownMode(job);
    const tracked = isTracked(job, input);
    if (!tracked && hasTrackingAnnotation(job, input))
      return write(
        'JobTrackingWithFinalizers is off: remove the tracking annotation',
        mergePatch(job, { metadata: { annotations: { [trackingKey(input.names)]: null } } }),
      );

    const claim = adoptPods(input, tracked);
    const observed = observe(input, claim.pods, tracked);
    const failing = input.memory?.completing === true ? undefined : (input.memory?.failing ?? failureOf(job, observed, input.now));
    const outcome = failing === undefined ? proceed(input, claim, observed) : end(input, claim, observed, failing);
    return wakeAtDeadline(job, observed.startTime, input.now, outcome);
  },
});

function end(input: JobInput, claim: Claim, observed: Observed, failing: Verdict): Outcome<JobMemory> {
  const { self: job, expectationsSatisfied, memory } = input;
  const decided = memory?.failing !== undefined;
  if (observed.tracked && !expectationsSatisfied && !decided) {
    return { why: `${failing.reason}; waiting to observe all its own pods before it fails`, writes: claim.writes, backoff: 'keep' };
  }
  const toDelete = observed.tracked && !expectationsSatisfied ? [] : [...observed.pods.active.values()];
  // The ready pods are those at the start of the end, so that the status shows what was lost.
  const asItBegan = decided && job.status.ready !== undefined ? { ...observed, ready: job.status.ready } : observed;
  return recordDecision(input, asItBegan, {
    why:
      toDelete.length === 0
        ? `${failing.message.toLowerCase()}: it ends`
        : `${failing.message.toLowerCase()}: delete its ${toDelete.length} active pods and fail it`,
    writes: [...claim.writes, ...toDelete.map((pod) => deletePodOf(job, pod))],
    active: 0,
    verdict: failing,
    conditions: conditionsOf(job),
    startTime: job.status.startTime ?? observed.startTime,
    ...(observed.tracked ? { memory: { failing } } : {}),
  });
}

/** Brings the number of pods to the wanted one, and completes the Job when its work is done. */
function proceed(input: JobInput, claim: Claim, observed: Observed): Outcome<JobMemory> {
  const { self: job, expectationsSatisfied, now } = input;
  const dying = job.metadata.deletionTimestamp !== undefined;
  const manages = expectationsSatisfied && !dying;
  const plan: Plan = manages ? planPods(input, observed) : { writes: [], active: observed.active, creates: 0, deletes: 0 };
  const decision = {
    why: whyOf(input, observed, plan),
    writes: [...claim.writes, ...plan.writes],
    active: plan.active,
    conditions: conditionsOf(job),
    startTime: job.status.startTime ?? observed.startTime,
  };
  if (isDone(job, observed.succeeded, plan.active))
    return recordDecision(input, observed, {
      ...decision,
      why: 'enough pods succeeded: it is complete',
      verdict: COMPLETE,
      // Pods deleted at the end are counted like terminated ones: their finalizers are removed once they are listed in the status, not now.
      ...(observed.tracked
        ? { writes: [...claim.writes, ...plan.writes.filter(({ op }) => op !== 'patch')], memory: { completing: true } }
        : {}),
    });
  if (!manages) return recordDecision(input, observed, decision);

  const suspended = isSuspended(job);
  const turn = suspended ? 'Suspended' : 'Resumed';
  const message = `Job ${turn.toLowerCase()}`;
  const conditions = withCondition(decision.conditions, 'Suspended', suspended ? 'True' : 'False', `Job${turn}`, message, now);
  const turned = conditions !== decision.conditions;
  return recordDecision(input, observed, {
    memory: plan.creates > 0 ? { creating: plan.creates } : undefined,
    event: turned ? { about: job, type: 'Normal', reason: turn, message } : undefined,
    ...decision,
    conditions,
    startTime: turned && !suspended ? observed.startTime : decision.startTime,
  });
}

/** A work queue is done when a pod has succeeded and none is active; other Jobs when enough have succeeded. */
function isDone(job: Job, succeeded: number, active: number): boolean {
  return active === 0 && (job.spec.completions === undefined ? succeeded > 0 : succeeded >= job.spec.completions);
}

function whyOf({ self: job, expectationsSatisfied }: JobInput, { active, succeeded, failed }: Observed, plan: Plan): string {
  const state = `${active} active, ${succeeded} succeeded, ${failed} failed`;
  if (job.metadata.deletionTimestamp !== undefined) return `it is being deleted (${state})`;
  if (!expectationsSatisfied) return `its cache does not show all of its own writes yet (${state})`;
  if (isSuspended(job)) return plan.deletes > 0 ? `it is suspended: delete its ${plan.deletes} active pods` : 'it is suspended';
  const resumes = isRecordedSuspended(job) ? 'it resumes; ' : '';
  if (plan.creates > 0) return `${resumes}${state}: ${plan.creates} more ${plan.creates === 1 ? 'pod' : 'pods'} to create`;
  if (plan.deletes > 0) return `${resumes}${state}: ${plan.deletes} too many`;
  return `${resumes}${state}: nothing to do`;
}

function skipUnknownMode(job: Job): Outcome<JobMemory> {
  const event = record(job, 'Warning', 'UnknownCompletionMode', 'Skipped Job sync because completion mode is unknown');
  return { backoff: 'keep', ...write(`its completion mode ${job.spec.completionMode ?? ''} is unknown, so it is not reconciled`, event) };
}

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

/** The decision's writes, with its status last. */
function recordDecision(input: JobInput, observed: Observed, decision: Decision): Outcome<JobMemory> {
  const { self: job, now } = input;
  const next = observed.tracked ? track(input, observed, decision.verdict !== undefined) : byExistence(job, observed, decision.verdict);
  const verdict = next.settled ? decision.verdict : undefined;
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
    why: decision.verdict === verdict ? decision.why : `${decision.why} once its pods are counted`,
    writes,
    backoff: backoffOf(observed, next, changed, verdict !== undefined),
    ...(verdict !== undefined ? { memory: null } : decision.memory !== undefined ? { memory: decision.memory } : {}),
  };
}

/** Upstream returns an error from a sync with a new failure, so that the key backs off; any other recorded progress resets the count. */
function backoffOf(
  { tracked, hasNewFailure }: Observed,
  { settled }: Counted,
  changed: boolean,
  ended: boolean,
): 'forget' | 'keep' | 'retry' {
  if (tracked ? !settled : !changed) return 'keep';
  return hasNewFailure && !ended ? 'retry' : 'forget';
}

function byExistence(job: Job, { succeeded, failed, completed, active }: Observed, verdict: Verdict | undefined): Counted {
  // Upstream's legacy accounting counts every pod that it deletes at the end as failed.
  const failedNow = verdict?.type === 'Failed' ? failed + active : failed;
  const changed = succeeded !== (job.status.succeeded ?? 0) || failedNow !== (job.status.failed ?? 0);
  return {
    counts: { succeeded, failed: failedNow, ...(isIndexed(job) ? { completedIndexes: writeIndexes(completed) } : {}) },
    changed,
    settled: true,
    writes: [],
  };
}

/** Zeros are omitted, as the API prints them. */
function statusOf(
  { ready }: Observed,
  { active, startTime }: Decision,
  { succeeded, failed, completedIndexes, uncountedTerminatedPods }: Counted['counts'],
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

function failureOf(job: Job, { active, failed, hasNewFailure, pods, startTime }: Observed, now: number): Verdict | undefined {
  const limit = job.spec.backoffLimit ?? 6;
  // As in upstream: while all pods are active the previous sync has failed midway, and the failure is not new.
  if (hasNewFailure && active !== (job.spec.parallelism ?? 1) && failed > limit) return BACKOFF_LIMIT;
  if (job.spec.template.spec.restartPolicy === 'OnFailure' && pods.restarts > 0 && pods.restarts >= limit) return BACKOFF_LIMIT;
  const deadline = deadlineOf(job, startTime);
  return deadline !== undefined && now >= deadline ? DEADLINE : undefined;
}
