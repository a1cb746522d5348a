/**
 * Invariants of CronJobs, and the form of those that a controller must restore some time after a Job finishes or is deleted. A Job that its
 * CronJob never listed does not count as a run: after a crash between the creation and the update of the list the recorded controller forgets
 * it too, and lets the next run overlap. The same holds for a Job that a user created with a CronJob as owner.
 */
import { keyOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { CronJob } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { nextAfter, parseSchedule } from '../../../schema/schedule/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { checking, type Facts, type Invariant, type Violation } from '../invariant.ts';
import {
  asCronJob,
  cronJobOf,
  GRACE_MS,
  minuteOf,
  verdictOf,
  cronJobForbidNeverOverlaps,
  cronJobOneJobPerMinute,
  cronJobReplaceNeverOverlaps,
  cronJobSuspendedStartsNothing,
} from './runs.ts';
import { asJob } from '../forms.ts';

/**
 * The time limit of the restoration, milliseconds: the longest back-off. It is extended while the controller is down and writes nothing.
 */
const PATIENCE_MS = 1_200_000;

/** Returns what is wrong with a CronJob; runs that finished or were deleted a moment ago may be ignored. */
type Breach = (cronJob: CronJob, facts: Facts, isRecent: (jobUid: string) => boolean) => string | undefined;

interface Restoring {
  readonly broken: Breach;
  /** By uid, in the order of their deadlines. */
  readonly waiting: Map<string, { readonly key: string; readonly due: number; alive: boolean }>;
  /**
   * The times at which Jobs finished or were deleted that need not have been processed yet, by the clock of the run; the clock of a process
   * may differ.
   */
  readonly recent: Map<string, number>;
  exercised(): undefined;
}

/**
 * A property that a controller must restore some time after a Job of the CronJob finishes or is deleted. A controller that is down has time
 * until it writes again.
 */
const restored = (name: string, description: string, broken: Breach): Invariant => ({
  name,
  description,
  temporal: 'eventually',
  kinds: ['CronJob', 'Job'],
  check: checking((exercised) => {
    const state: Restoring = { broken, waiting: new Map(), recent: new Map(), exercised };
    return {
      describe: () => [state.waiting, state.recent],
      onChange: (change, facts): undefined => observe(state, change, facts),
      deadline: () => firstOf(state.waiting)?.[1].due,
      onTime: (facts) => judgeDue(state, facts),
      onEnd: (facts, settled) => (settled ? judgeAll(state, facts) : undefined),
    };
  }),
});

function observe(state: Restoring, { type, object, previous }: Change, facts: Facts): undefined {
  const job = asJob(object);
  if (job !== undefined && (type === 'DELETED' || verdictOf(job) !== undefined)) {
    const before = asJob(previous);
    if (type === 'DELETED' || before === undefined || verdictOf(before) === undefined) note(state.recent, job.metadata.uid, facts.now);
    wait(state, cronJobOf(job, facts), facts.now);
  }
  const cronJob = asCronJob(object);
  const before = asCronJob(previous);
  if (cronJob === undefined || before === undefined) return;
  if (cronJob.spec !== before.spec) wait(state, cronJob, facts.now);
  const mark = state.waiting.get(cronJob.metadata.uid);
  if (mark !== undefined && cronJob.status !== before.status) mark.alive = true;
}

function note(recent: Map<string, number>, uid: string, now: number): void {
  for (const [old, at] of recent) {
    if (now - at < GRACE_MS) break;
    recent.delete(old);
  }
  if (!recent.has(uid)) recent.set(uid, now);
}

function wait({ waiting }: Restoring, cronJob: CronJob | undefined, now: number): void {
  if (cronJob !== undefined && !waiting.has(cronJob.metadata.uid))
    waiting.set(cronJob.metadata.uid, { key: keyOf(cronJob), due: now + PATIENCE_MS, alive: false });
}

/** Evaluates CronJobs whose time is over; one whose controller has written nothing since gets the time again. */
function judgeDue(state: Restoring, facts: Facts): Violation | undefined {
  const { broken, waiting, recent } = state;
  for (let next = firstOf(waiting); next !== undefined && next[1].due <= facts.now; next = firstOf(waiting)) {
    const [uid, { key, alive }] = next;
    waiting.delete(uid);
    const cronJob = facts.get('CronJob', key);
    if (cronJob?.metadata.uid !== uid || cronJob.metadata.deletionTimestamp !== undefined) continue;
    const message = broken(cronJob, facts, (job) => facts.now - (recent.get(job) ?? -Infinity) < GRACE_MS);
    if (message === undefined) state.exercised();
    else if (alive) return { message, object: cronJob };
    else wait(state, cronJob, facts.now);
  }
  return undefined;
}

/** Evaluates all CronJobs of a settled cluster, without a grace period. */
function judgeAll(state: Restoring, facts: Facts): Violation | undefined {
  for (const cronJob of facts.list('CronJob')) {
    if (cronJob.metadata.deletionTimestamp !== undefined) continue;
    const message = state.broken(cronJob, facts, () => false);
    if (message !== undefined) return { message, object: cronJob };
    state.exercised();
  }
  return undefined;
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined {
  for (const each of map) return each;
  return undefined;
}

/**
 * Returns the minute in the name of the run after the last recorded one. It is usually later, but runs less than a minute apart may share a
 * minute, and then the existing Job blocks the next.
 */
function firstMinuteAfterLast({ spec, status: { lastScheduleTime } }: CronJob): number {
  if (lastScheduleTime === undefined) return -Infinity;
  const last = parseTime(lastScheduleTime);
  const parsed = parseSchedule(spec.schedule);
  const interval = parsed.error === undefined && parsed.schedule.kind === 'interval' ? parsed.schedule : undefined;
  const next = interval === undefined ? undefined : nextAfter(interval, last);
  return Math.floor(next === undefined ? last / 60_000 + 1 : next / 60_000);
}

const cronJobHistoryLimitsKept = restored(
  'cron-job/history-limits-kept',
  'No more finished Jobs are kept than the history limits allow.',
  (cronJob, facts, isRecent) => {
    const limits = { Complete: cronJob.spec.successfulJobsHistoryLimit, Failed: cronJob.spec.failedJobsHistoryLimit };
    const jobs = facts.by('Job', 'controllerUid', cronJob.metadata.uid);
    // A run that the controller forgot in a crash is tried again until the next one is due, and fails because its Job exists; until then
    // nothing is deleted, as recorded.
    const first = firstMinuteAfterLast(cronJob);
    if (jobs.some((job) => (minuteOf(job, cronJob) ?? -Infinity) >= first)) return undefined;
    for (const verdict of ['Complete', 'Failed'] as const) {
      const limit = limits[verdict];
      const kept = jobs.filter(
        (job) => verdictOf(job) === verdict && job.metadata.deletionTimestamp === undefined && !isRecent(job.metadata.uid),
      ).length;
      if (limit !== undefined && kept > limit)
        return `CronJob ${keyOf(cronJob)} keeps ${kept} Jobs that are ${verdict}, its limit is ${limit}`;
    }
    return undefined;
  },
);

const cronJobActiveListIsTrue = restored(
  'cron-job/active-list-is-true',
  'The list of running Jobs names only Jobs that exist and have not finished.',
  (cronJob, facts, isRecent) => {
    for (const { name = '', namespace = '', uid = '' } of cronJob.status.active ?? []) {
      if (isRecent(uid)) continue;
      const job = facts.get('Job', storeKey(namespace, name));
      if (job === undefined) return `CronJob ${keyOf(cronJob)} lists ${name} as running, which does not exist`;
      if (verdictOf(job) !== undefined) return `CronJob ${keyOf(cronJob)} lists ${name} as running, which is ${verdictOf(job) ?? ''}`;
    }
    return undefined;
  },
);

export const cronJobInvariants: readonly Invariant[] = [
  cronJobForbidNeverOverlaps,
  cronJobReplaceNeverOverlaps,
  cronJobOneJobPerMinute,
  cronJobSuspendedStartsNothing,
  cronJobHistoryLimitsKept,
  cronJobActiveListIsTrue,
];
