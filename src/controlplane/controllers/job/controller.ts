/**
 * Runs pods until a Job's work is done: NonIndexed, Indexed and work queues, with retries, deadlines and suspension. Models: v1.24
 * pkg/controller/job. Differs: activeDeadlineSeconds is enforced when it elapses, and counts from the resume; exact counting takes one sync
 * per step (`tracking.ts`); a Job tracked by finalizers ends only once its cache shows the controller's own writes. The number of pods to
 * create or to delete now, and the pod that a Job creates. Models: v1.24 pkg/controller/job manageJob, activePodsForRemoval,
 * indexed_job_utils.go.
 */
import { memo, perObject } from '../../../engine/index.ts';
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, record, watch, write, type Outcome, type Write } from '../../runtime/index.ts';
import {
  hasTrackingAnnotation,
  isIndexed,
  isRecordedSuspended,
  isSuspended,
  isTracked,
  JOB_BACKOFF,
  observe,
  withCondition,
  type JobInput,
  type JobMemory,
  type Observed,
  type Verdict,
} from './observe.ts';
import { adoptPods, jobsOfPod, manualJobs } from './owned.ts';
import {
  createPodOf,
  deletePodOf,
  dropFinalizers,
  ensure,
  finishedCondition,
  inDeletionOrder,
  mergePatch,
  podMetadata,
  unmanagedPods,
} from '../../shared/index.ts';
import { conditionsOf, deadlineOf, failureOf, recordDecision, recoverJob } from './status.ts';
import { completionIndexOf, hasTrackingFinalizer, jobPods, type JobPods } from './pods.ts';
import { firstPendingIndexes, podGenerateNameWithIndex } from './indexes.ts';
import type { Names, ObjectInput } from '../../../apiserver/machinery/index.ts';

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

function wakeAtDeadline({ self, now }: JobInput, { startTime }: Observed, outcome: Outcome<JobMemory>): Outcome<JobMemory> {
  const deadline = outcome.memory === null ? undefined : deadlineOf(self, startTime);
  return deadline === undefined || deadline <= now ? outcome : { wakeAt: deadline, ...outcome };
}

/** Upstream's MaxPodCreateDeletePerSync: larger Jobs take several syncs. */
const MOST_PER_SYNC = 500;

interface Plan {
  readonly writes: readonly Write[];
  /** The number of active pods after the writes. */
  readonly active: number;
  readonly creates: number;
  readonly deletes: number;
}

function planPods(input: JobInput, observed: Observed): Plan {
  const { self: job, names } = input;
  const { active } = observed;
  const wanted = isSuspended(job) ? 0 : wantedActive(job, observed);
  const surplus = podsToRemove(job, observed.pods, Math.max(0, active - wanted));
  const toDelete = isSuspended(job) ? surplus : surplus.slice(0, MOST_PER_SYNC);
  if (toDelete.length > 0) {
    // The finalizer is removed first, because a surplus pod does not count as failed.
    const tracking = [names.key('batch', 'job-tracking')];
    const writes = toDelete.flatMap((pod) =>
      hasTrackingFinalizer(pod) ? [dropFinalizers(pod, tracking), deletePodOf(job, pod)] : [deletePodOf(job, pod)],
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

/** Pods without a valid index, and all but the most advanced pod of each index. */
function surplusOfIndexed(pods: Iterable<Pod>, completions: number): { readonly surplus: readonly Pod[]; readonly left: readonly Pod[] } {
  const byIndex = new Map<number, Pod[]>();
  const surplus: Pod[] = [];
  const left: Pod[] = [];
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index === undefined || index >= completions) surplus.push(pod);
    else ensure(byIndex, index, () => new Array<Pod>()).push(pod);
  }
  for (const same of byIndex.values()) {
    const ordered = inDeletionOrder(same);
    surplus.push(...ordered.slice(0, -1));
    left.push(...ordered.slice(-1));
  }
  return { surplus, left };
}

/** At least so many active pods, and all that an Indexed Job cannot use. The pods are visited only if one must be deleted. */
function podsToRemove(job: Job, { active, activeIndexes }: JobPods, atLeast: number): readonly Pod[] {
  const completions = job.spec.completions ?? 0;
  const indexed = job.spec.completionMode === 'Indexed';
  if (atLeast <= 0 && (!indexed || activeIndexes.isClean(completions))) return [];
  const { surplus, left } = indexed ? surplusOfIndexed(active.values(), completions) : { surplus: [], left: [...active.values()] };
  if (surplus.length >= atLeast) return surplus;
  return [...surplus, ...inDeletionOrder(left).slice(0, atLeast - surplus.length)];
}

type Template = Job['spec']['template'];
type PodSpec = NonNullable<Template['spec']>;
type PodContainer = PodSpec['containers'][number];

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** Built once per template, so that all pods of a Job share one spec. */
const indexedSpec = perObject((template: Template, annotation: string): PodSpec => {
  const variable = {
    name: INDEX_VARIABLE,
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${annotation}']` } },
  };
  const knowing = (container: PodContainer): PodContainer =>
    container.env?.some(({ name }) => name === INDEX_VARIABLE) === true
      ? container
      : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers } = template.spec;
  // With a placeholder for the individual name of each pod.
  return {
    ...template.spec,
    hostname: '',
    containers: template.spec.containers.map(knowing),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(knowing) }),
  };
});

/** The parts that all pods of a Job share, built once, because the server validates known parts only once. */
const commons = memo(new WeakMap<Template, { readonly uid: string; readonly tracked: boolean; readonly pod: ObjectInput }>());

/** The pod without an index. */
function commonPod(job: Job, tracked: boolean, names: Names): ObjectInput {
  const { template } = job.spec;
  const { uid } = job.metadata;
  const known = commons.get(template);
  if (known !== undefined && known.uid === uid && known.tracked === tracked) return known.pod;
  const { finalizers = [] } = template.metadata;
  const tracking = names.key('batch', 'job-tracking');
  const adds = tracked && !finalizers.includes(tracking);
  const metadata = podMetadata(job, template, adds ? { finalizers: Object.freeze([...finalizers, tracking]) } : {});
  const pod = Object.freeze({ kind: 'Pod', apiVersion: 'v1', metadata, spec: template.spec });
  commons.set(template, { uid, tracked, pod });
  return pod;
}

export function createPod(job: Job, index: number | undefined, tracked: boolean, names: Names): Write {
  const common = commonPod(job, tracked, names);
  if (index === undefined) return createPodOf(job, common);
  const { name } = job.metadata;
  const indexKey = names.key('batch', 'job-completion-index');
  const metadata = Object.freeze({
    ...common.metadata,
    generateName: podGenerateNameWithIndex(name, index),
    annotations: { ...common.metadata.annotations, [indexKey]: String(index) },
  });
  const spec = { ...indexedSpec(job.spec.template, indexKey), hostname: `${name}-${index}` };
  return createPodOf(job, Object.freeze({ kind: 'Pod', apiVersion: 'v1', metadata, spec }));
}
