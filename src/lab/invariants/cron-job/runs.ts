/** Invariants of each run of a CronJob, evaluated when its Job is created. */
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { type Answer, type Facts, type Invariant, ofChanges } from '../invariant.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { as, asJob, storedController } from '../forms.ts';

export const asCronJob = as('CronJob');
export const verdictOf = (job: Job): 'Complete' | 'Failed' | undefined => {
  for (const { type, status } of job.status.conditions ?? [])
    if (status === 'True' && (type === 'Complete' || type === 'Failed')) return type;
  return undefined;
};

/**
 * A decision made before a change of the CronJob was observed may still take effect: the old value is valid for this long, milliseconds.
 */
export const GRACE_MS = 10_000;
export const cronJobOf = (job: Job, facts: Facts): CronJob | undefined => storedController('CronJob', job, facts);

export function minuteOf(job: Job, cronJob: CronJob): number | undefined {
  const prefix = `${cronJob.metadata.name}-`;
  if (!job.metadata.name.startsWith(prefix)) return undefined;
  const digits = job.metadata.name.slice(prefix.length);
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** A property of each run, evaluated when its Job is created; `observe` receives all changes first. */
const atEveryRun = (
  name: string,
  description: string,
  create: () => {
    observe(change: Change, facts: Facts): void;
    judge(job: Job, cronJob: CronJob, minute: number, facts: Facts): Answer;
    describe(): unknown;
  },
): Invariant =>
  ofChanges(
    name,
    description,
    { kinds: ['CronJob', 'Job'] },
    create,
    (change, facts, { observe, judge }) => {
      const job = change.type === 'ADDED' ? asJob(change.object) : undefined;
      const cronJob = job === undefined ? undefined : cronJobOf(job, facts);
      const minute = job === undefined || cronJob === undefined ? undefined : minuteOf(job, cronJob);
      const answer = job !== undefined && cronJob !== undefined && minute !== undefined && judge(job, cronJob, minute, facts);
      observe(change, facts);
      return answer;
    },
    ({ describe }) => describe(),
  );

/** A policy without overlapping runs. `makesWay`: a Job that is being deleted does not count as running. */
const neverOverlaps = (
  policy: 'Forbid' | 'Replace',
  description: string,
  makesWay: (job: Job) => boolean,
  although: (name: string) => string,
) =>
  atEveryRun(`cron-job/${policy.toLowerCase()}-never-overlaps`, description, () => {
    /** For each CronJob, the time since when it has its policy; and the Jobs that were ever listed, until they are deleted. */
    const forbidSince = new Map<string, number>();
    const listed = new Set<string>();
    const unfinished = new Map<string, Set<string>>();
    const follow = (job: Job, gone: boolean): void => {
      const owner = controllerOf(job)?.uid ?? '';
      const jobs = unfinished.get(owner);
      if (!gone && verdictOf(job) === undefined && !makesWay(job)) unfinished.set(owner, (jobs ?? new Set()).add(job.metadata.uid));
      else if (jobs?.delete(job.metadata.uid) === true && jobs.size === 0) unfinished.delete(owner);
    };
    return {
      describe: () => [forbidSince, listed, unfinished],
      observe(change, { now }) {
        const { uid } = change.object.metadata;
        const [job, last] = [asJob(change.object), asJob(change.previous)];
        if (last !== undefined && last.metadata.ownerReferences !== job?.metadata.ownerReferences) follow(last, true);
        if (job !== undefined) follow(job, change.type === 'DELETED');
        if (change.type === 'DELETED') {
          forbidSince.delete(uid);
          listed.delete(uid);
          return;
        }
        const cronJob = asCronJob(change.object);
        if (cronJob === undefined) return;
        if (cronJob.spec.concurrencyPolicy !== policy) forbidSince.delete(uid);
        else if (!forbidSince.has(uid)) forbidSince.set(uid, change.type === 'ADDED' ? now - GRACE_MS : now);
        if (cronJob.status.active !== asCronJob(change.previous)?.status.active)
          for (const reference of cronJob.status.active ?? []) if (reference.uid !== undefined) listed.add(reference.uid);
      },
      judge(job, cronJob, _, facts) {
        const since = forbidSince.get(cronJob.metadata.uid);
        if (since === undefined || facts.now - since < GRACE_MS) return false;
        const running = new Set([...(unfinished.get(cronJob.metadata.uid) ?? [])].filter((uid) => listed.has(uid)));
        if (running.size === 0) return true;
        const first = facts.by('Job', 'controllerUid', cronJob.metadata.uid).find((other) => running.has(other.metadata.uid));
        return `Job ${keyOf(job)} was started while ${first?.metadata.name ?? ''} still ran, although ${although(cronJob.metadata.name)}`;
      },
    };
  });

export const cronJobForbidNeverOverlaps = neverOverlaps(
  'Forbid',
  'With concurrencyPolicy Forbid no run starts while an earlier one, once listed as running, is unfinished.',
  () => false,
  (name) => `${name} forbids it`,
);

export const cronJobReplaceNeverOverlaps = neverOverlaps(
  'Replace',
  'With concurrencyPolicy Replace no run starts before an earlier one, once listed as running, has been finished or deleted.',
  ({ metadata }) => metadata.deletionTimestamp !== undefined,
  (name) => `${name} replaces running Jobs`,
);

export const cronJobOneJobPerMinute = atEveryRun(
  'cron-job/one-job-per-minute',
  'No scheduled minute is run twice, and none after a later one (except for `@every`, a lastScheduleTime edited by hand, and a run that the status never recorded and whose Job is deleted).',
  () => {
    const latest = new Map<string, number>();
    /**
     * A run whose creation response was lost is recorded only by its Job: when that is deleted, no state says that the minute has run, here
     * as upstream.
     */
    const forget = (job: Job, facts: Facts): void => {
      const cronJob = cronJobOf(job, facts);
      const minute = cronJob === undefined ? undefined : minuteOf(job, cronJob);
      if (cronJob === undefined || minute === undefined || latest.get(cronJob.metadata.uid) !== minute) return;
      const { lastScheduleTime } = cronJob.status;
      if (typeof lastScheduleTime !== 'string' || parseTime(lastScheduleTime) < minute * 60_000) latest.delete(cronJob.metadata.uid);
    };
    return {
      describe: () => latest,
      observe({ type, object, previous }, facts) {
        const cronJob = asCronJob(object);
        if (cronJob === undefined) {
          const job = type === 'DELETED' ? asJob(object) : undefined;
          if (job !== undefined) forget(job, facts);
          return;
        }
        const { uid } = cronJob.metadata;
        const before = asCronJob(previous)?.status.lastScheduleTime;
        const setBack = before !== undefined && (cronJob.status.lastScheduleTime ?? '') < before;
        if (type === 'DELETED' || setBack) latest.delete(uid);
      },
      judge(job, cronJob, minute) {
        if (cronJob.spec.schedule.includes('@every')) return false;
        const last = latest.get(cronJob.metadata.uid);
        latest.set(cronJob.metadata.uid, Math.max(minute, last ?? minute));
        if (last !== undefined && minute <= last) return `Job ${keyOf(job)} is for minute ${minute}, but minute ${last} was run before it`;
        return last !== undefined;
      },
    };
  },
);

export const cronJobSuspendedStartsNothing = atEveryRun(
  'cron-job/suspended-starts-nothing',
  'A CronJob that has been suspended for 10 s starts no run.',
  () => {
    const suspendedSince = new Map<string, number>();
    return {
      describe: () => suspendedSince,
      observe({ type, object }, { now }) {
        const cronJob = asCronJob(object);
        if (cronJob === undefined) return;
        if (type === 'DELETED' || !cronJob.spec.suspend) suspendedSince.delete(cronJob.metadata.uid);
        else if (!suspendedSince.has(cronJob.metadata.uid)) suspendedSince.set(cronJob.metadata.uid, now);
      },
      judge(job, { metadata: { uid, name } }, _, { now }) {
        const since = suspendedSince.get(uid);
        if (since === undefined || now - since < GRACE_MS) return true;
        return `Job ${keyOf(job)} was started although ${name} has been suspended for ${(now - since) / 1000} s`;
      },
    };
  },
);
