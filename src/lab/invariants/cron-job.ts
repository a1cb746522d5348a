/**
 * What must hold of CronJobs. A Job that its CronJob never listed does not count as a run: after a crash between the creation and the list the recorded
 * controller forgets it too, and lets the next run overlap. So is a Job somebody made by hand in a CronJob's name.
 */
import { type ApiObject, controllerOf, keyOf, storeKey } from '../../apiserver/vocabulary/index.ts';
import type { CronJob, Job } from '../../apiserver/kinds/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import { parseTime } from '../../grammar/values/index.ts';
import type { Checker, Facts, Invariant, Violation } from './invariant.ts';

const asJob = (object: ApiObject | undefined): Job | undefined => (object?.kind === 'Job' ? (object as Job) : undefined);
const asCronJob = (object: ApiObject | undefined): CronJob | undefined => (object?.kind === 'CronJob' ? (object as CronJob) : undefined);
const verdictOf = (job: Job): 'Complete' | 'Failed' | undefined => {
  for (const { type, status } of job.status.conditions ?? [])
    if (status === 'True' && (type === 'Complete' || type === 'Failed')) return type;
  return undefined;
};

/** A decision made before a change of the CronJob was seen may still act: the old value counts for this long. */
const GRACE_MS = 10_000;
/** How long a repair may take: as long as the longest back-off, and longer when the controller is down and writes nothing. */
const PATIENCE_MS = 1_200_000;

/** The CronJob a Job belongs to, as it is stored. */
function cronJobOf(job: Job, facts: Facts): CronJob | undefined {
  const owner = controllerOf(job);
  if (owner?.kind !== 'CronJob') return undefined;
  const found = asCronJob(facts.get('CronJob', storeKey(job.metadata.namespace, owner.name)));
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/** The scheduled minute in the name of a Job, if it has one: `hello-28401120`. */
function minuteOf(job: Job, cronJob: CronJob): number | undefined {
  const prefix = `${cronJob.metadata.name}-`;
  if (!job.metadata.name.startsWith(prefix)) return undefined;
  const digits = job.metadata.name.slice(prefix.length);
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** A property asked of every run the moment its Job is created; `hear` gets all changes first. */
const atEveryRun = (
  name: string,
  description: string,
  create: () => {
    hear(change: Change, facts: Facts): void;
    judge(job: Job, cronJob: CronJob, minute: number, facts: Facts): string | boolean;
  },
): Invariant => ({
  name,
  description,
  temporal: 'always',
  kinds: ['CronJob', 'Job'],
  check(): Checker {
    const { hear, judge } = create();
    let witnesses = 0;
    return {
      get witnesses() {
        return witnesses;
      },
      onChange(change, facts): Violation | undefined {
        const job = change.type === 'ADDED' ? asJob(change.object) : undefined;
        const cronJob = job === undefined ? undefined : cronJobOf(job, facts);
        const minute = job === undefined || cronJob === undefined ? undefined : minuteOf(job, cronJob);
        const answer = job === undefined || cronJob === undefined || minute === undefined ? false : judge(job, cronJob, minute, facts);
        hear(change, facts);
        if (answer === true) witnesses++;
        return typeof answer === 'string' && job !== undefined ? { message: answer, object: job } : undefined;
      },
    };
  },
});

const cronJobForbidNeverOverlaps = atEveryRun(
  'cron-job/forbid-never-overlaps',
  'With concurrencyPolicy Forbid no run starts while an earlier one, once listed as running, is unfinished.',
  () => {
    /** Since when each policy is Forbid; Jobs ever listed, dropped when they go. */
    const forbidSince = new Map<string, number>();
    const listed = new Set<string>();
    /** Unfinished Jobs by the uid of what manages them. */
    const unfinished = new Map<string, Set<string>>();
    const follow = (job: Job, gone: boolean): void => {
      const owner = controllerOf(job)?.uid ?? '';
      const jobs = unfinished.get(owner);
      if (!gone && verdictOf(job) === undefined) unfinished.set(owner, (jobs ?? new Set()).add(job.metadata.uid));
      else if (jobs?.delete(job.metadata.uid) === true && jobs.size === 0) unfinished.delete(owner);
    };
    return {
      hear(change, { now }) {
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
        if (cronJob.spec.concurrencyPolicy !== 'Forbid') forbidSince.delete(uid);
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
        return `Job ${keyOf(job)} was started while ${first?.metadata.name ?? ''} still ran, although ${cronJob.metadata.name} forbids it`;
      },
    };
  },
);

const cronJobOneJobPerMinute = atEveryRun(
  'cron-job/one-job-per-minute',
  'No scheduled minute is run twice, and none after a later one (`@every` and a lastScheduleTime set back by hand apart).',
  () => {
    const latest = new Map<string, number>();
    return {
      hear({ type, object, previous }) {
        const cronJob = asCronJob(object);
        if (cronJob === undefined) return;
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

const cronJobSuspendedStartsNothing = atEveryRun(
  'cron-job/suspended-starts-nothing',
  'A CronJob that has been suspended for 10 s starts no run.',
  () => {
    const suspendedSince = new Map<string, number>();
    return {
      hear({ type, object }, { now }) {
        const cronJob = asCronJob(object);
        if (cronJob === undefined) return;
        if (type === 'DELETED' || !cronJob.spec.suspend) suspendedSince.delete(cronJob.metadata.uid);
        else if (!suspendedSince.has(cronJob.metadata.uid)) suspendedSince.set(cronJob.metadata.uid, now);
      },
      judge(job, { metadata: { uid, name } }, _, { now }) {
        const since = suspendedSince.get(uid);
        return since !== undefined && now - since >= GRACE_MS
          ? `Job ${keyOf(job)} was started although ${name} has been suspended for ${(now - since) / 1000} s`
          : true;
      },
    };
  },
);

/** What is wrong with a CronJob, if anything; runs that ended or went a moment ago may be left out. */
type Breach = (cronJob: CronJob, facts: Facts, isRecent: (jobUid: string) => boolean) => string | undefined;

/** What a property that must be restored is waiting for. */
interface Restoring {
  readonly broken: Breach;
  /** By uid, in order of their deadlines. */
  readonly waiting: Map<string, { readonly key: string; readonly due: number; alive: boolean }>;
  /** When Jobs ended or went that need not have been dealt with yet; by the clock of the run, which a process may not share. */
  readonly recent: Map<string, number>;
  witnesses: number;
}

/** A property that a controller must restore some time after a Job of the CronJob ends or goes. One that is down has time until it writes again. */
const restored = (name: string, description: string, broken: Breach): Invariant => ({
  name,
  description,
  temporal: 'eventually',
  kinds: ['CronJob', 'Job'],
  check(): Checker {
    const state: Restoring = { broken, waiting: new Map(), recent: new Map(), witnesses: 0 };
    return {
      get witnesses() {
        return state.witnesses;
      },
      onChange(change, facts) {
        hear(state, change, facts);
        return undefined;
      },
      deadline: () => firstOf(state.waiting)?.[1].due,
      onTime: (facts) => judgeDue(state, facts),
      onEnd: (facts, settled) => (settled ? judgeAll(state, facts) : undefined),
    };
  },
});

function hear(state: Restoring, { type, object, previous }: Change, facts: Facts): void {
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

/** Those whose time is over; one whose controller has written nothing since gets its time again. */
function judgeDue(state: Restoring, facts: Facts): Violation | undefined {
  const { broken, waiting, recent } = state;
  for (let next = firstOf(waiting); next !== undefined && next[1].due <= facts.now; next = firstOf(waiting)) {
    const [uid, { key, alive }] = next;
    waiting.delete(uid);
    const cronJob = asCronJob(facts.get('CronJob', key));
    if (cronJob?.metadata.uid !== uid || cronJob.metadata.deletionTimestamp !== undefined) continue;
    const message = broken(cronJob, facts, (job) => facts.now - (recent.get(job) ?? -Infinity) < GRACE_MS);
    if (message === undefined) state.witnesses++;
    else if (alive) return { message, object: cronJob };
    else wait(state, cronJob, facts.now);
  }
  return undefined;
}

/** At rest there is no grace. */
function judgeAll(state: Restoring, facts: Facts): Violation | undefined {
  for (const object of facts.list('CronJob')) {
    const cronJob = asCronJob(object);
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) continue;
    const message = state.broken(cronJob, facts, () => false);
    if (message !== undefined) return { message, object: cronJob };
    state.witnesses++;
  }
  return undefined;
}

function firstOf<K, V>(map: ReadonlyMap<K, V>): readonly [K, V] | undefined {
  for (const each of map) return each;
  return undefined;
}

const cronJobHistoryLimitsKept = restored(
  'cron-job/history-limits-kept',
  'No more finished Jobs are kept than the history limits say.',
  (cronJob, facts, isRecent) => {
    const limits = { Complete: cronJob.spec.successfulJobsHistoryLimit, Failed: cronJob.spec.failedJobsHistoryLimit };
    const jobs = facts.by('Job', 'controllerUid', cronJob.metadata.uid) as readonly Job[];
    // A run that a crash made the controller forget is tried again, and fails because its Job exists, until the next one is due; meanwhile, as recorded, nothing is deleted.
    const last = cronJob.status.lastScheduleTime === undefined ? -Infinity : parseTime(cronJob.status.lastScheduleTime) / 60_000;
    if (jobs.some((job) => (minuteOf(job, cronJob) ?? -Infinity) > last)) return undefined;
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
      const job = asJob(facts.get('Job', storeKey(namespace, name)));
      if (job === undefined) return `CronJob ${keyOf(cronJob)} lists ${name} as running, which does not exist`;
      if (verdictOf(job) !== undefined) return `CronJob ${keyOf(cronJob)} lists ${name} as running, which is ${verdictOf(job) ?? ''}`;
    }
    return undefined;
  },
);

/** All of them. */
export const cronJobInvariants: readonly Invariant[] = [
  cronJobForbidNeverOverlaps,
  cronJobOneJobPerMinute,
  cronJobSuspendedStartsNothing,
  cronJobHistoryLimitsKept,
  cronJobActiveListIsTrue,
];
