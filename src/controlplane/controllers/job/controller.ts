/**
 * Runs pods until a Job's work is done: NonIndexed, Indexed and work queues, with retries, deadlines and suspension. Models: v1.24
 * pkg/controller/job. Differs: activeDeadlineSeconds is enforced when it elapses, and counts from the resume; exact counting takes one sync
 * per step (`tracking.ts`); a Job tracked by finalizers ends only once its cache shows the controller's own writes.
 */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, record, watch, write, type Outcome } from '../../runtime/index.ts';
import {
  JOB_BACKOFF,
  isRecordedSuspended,
  withCondition,
  type Verdict,
  hasTrackingAnnotation,
  isIndexed,
  isSuspended,
  isTracked,
  type JobInput,
  type JobMemory,
  observe,
  type Observed,
} from './observe.ts';
import { adoptPods, jobsOfPod, manualJobs } from './owned.ts';
import { deletePodOf, finishedCondition, mergePatch, unmanagedPods } from '../../shared/index.ts';
import { deadlineOf, failureOf, recoverJob, conditionsOf, recordDecision } from './status.ts';
import { planPods, type Plan } from './manage.ts';
import { jobPods } from './pods.ts';

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
    if (finishedCondition(job) !== undefined) return { ...idle('it has finished'), memory: null };
    if (job.spec.completionMode !== undefined && job.spec.completionMode !== 'NonIndexed' && !isIndexed(job)) return skipUnknownMode(job);
    const tracked = isTracked(job, input);
    if (!tracked && hasTrackingAnnotation(job, input))
      return write(
        'JobTrackingWithFinalizers is off: remove the tracking annotation',
        mergePatch(job, { metadata: { annotations: { [input.names.key('batch', 'job-tracking')]: null } } }),
      );

    const claim = adoptPods(input, tracked);
    const observed = observe(input, claim.pods, tracked);
    const failing = input.memory?.completing === true ? undefined : (input.memory?.failing ?? failureOf(job, observed, input.now));
    const outcome = failing === undefined ? proceed(input, claim, observed) : end(input, claim, observed, failing);
    return wakeAtDeadline(input, observed, outcome);
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
    ...decision,
    conditions,
    ...(plan.creates > 0 ? { memory: { creating: plan.creates } } : {}),
    ...(turned ? { event: { about: job, type: 'Normal', reason: turn, message } } : {}),
    ...(turned && !suspended ? { startTime: observed.startTime } : {}),
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
  return { ...write(`its completion mode ${job.spec.completionMode ?? ''} is unknown, so it is not reconciled`, event), backoff: 'keep' };
}

function wakeAtDeadline({ self, now }: JobInput, { startTime }: Observed, outcome: Outcome<JobMemory>): Outcome<JobMemory> {
  const deadline = outcome.memory === null ? undefined : deadlineOf(self, startTime);
  return deadline === undefined || deadline <= now ? outcome : { wakeAt: deadline, ...outcome };
}
