/**
 * The Jobs of a CronJob: those that its status lists, compared with the existing ones; the one to create for a run; those beyond the
 * history limits. Nothing is adopted: an unfinished Job that is not on the list is only reported. A live read confirms that a Job is
 * missing, or unexpected. Models: v1.24 pkg/controller/cronjob syncCronJob (its first half), cleanupFinishedJobs, byJobStartTimeStar,
 * getJobFromTemplate2.
 */
import type { ApiObject, ObjectReference, ObjectInput } from '../../../apiserver/machinery/index.ts';
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import { readLive, isOf, record, type Write } from '../../runtime/index.ts';
import { parseTime, compareText } from '../../../schema/values/index.ts';
import { finishedCondition, controllerReference, present } from '../../shared/index.ts';
import { jobNameFor } from './due.ts';

/** The results of live reads in one sync. */
export interface Known {
  /** The CronJob as the server has it, if it was read. */
  readonly live?: CronJob;
  /** By name: whether a Job exists. */
  readonly jobs: ReadonlyMap<string, boolean>;
}
export const NOTHING_KNOWN: Known = { jobs: new Map() };

export interface Observed {
  readonly active: readonly ObjectReference[];
  readonly lastSuccessfulTime: string | undefined;
  readonly notes: readonly string[];
  readonly events: readonly Write[];
}
/** A live read that must come before any decision. */
interface Question {
  readonly read: Write;
  readonly why: string;
}

/** The Jobs that still run, and the time of the last success. */
export function observe(cronJob: CronJob, jobs: readonly Job[], known: Known): Observed | Question {
  const listed = cronJob.status.active ?? [];
  const uids = new Set(listed.map(({ uid }) => uid));
  const seen = new Set<string>();
  const gone = new Set<string>();
  const notes: string[] = [];
  const events: Write[] = [];
  let { lastSuccessfulTime } = cronJob.status;

  for (const job of jobs) {
    const { uid, name } = job.metadata;
    seen.add(uid);
    const finished = finishedCondition(job);
    if (finished === undefined) {
      if (uids.has(uid)) continue;
      if (known.live === undefined)
        return {
          read: read('CronJob', cronJob.metadata),
          why: `${name} is not in status.active of the cached CronJob: read the CronJob from the API server`,
        };
      events.push(record(cronJob, 'Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`));
    } else if (uids.has(uid)) {
      gone.add(uid);
      notes.push(`${name} has ended`);
      events.push(record(cronJob, 'Normal', 'SawCompletedJob', `Saw completed job: ${name}, status: ${finished.type}`));
    } else if (
      job.status.completionTime !== undefined &&
      (lastSuccessfulTime === undefined || parseTime(job.status.completionTime) > parseTime(lastSuccessfulTime))
    ) {
      lastSuccessfulTime = job.status.completionTime;
      notes.push(`${name} succeeded`);
    }
  }

  for (const { uid = '', name = '', namespace } of listed) {
    if (seen.has(uid)) continue;
    const exists = known.jobs.get(name);
    if (exists === undefined)
      return {
        read: read('Job', present({ name, namespace })),
        why: `${name} is in status.active but not in the cache: read the Job from the API server`,
      };
    if (exists) continue;
    gone.add(uid);
    notes.push(`${name} went missing`);
    events.push(record(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`));
  }
  return { active: gone.size === 0 ? listed : listed.filter(({ uid = '' }) => !gone.has(uid)), lastSuccessfulTime, notes, events };
}

export function learn(known: Known, write: Write, object: ApiObject | undefined): Known {
  if (write.op !== 'get') return known;
  if (write.kind === 'CronJob') return { ...known, ...(isOf('CronJob', object) ? { live: object } : {}) };
  return { ...known, jobs: new Map(known.jobs).set(write.name, object !== undefined) };
}

/** NotFound is a result for a Job; for a CronJob the sync ends. */
const read = (kind: 'CronJob' | 'Job', metadata: { readonly name: string; readonly namespace?: string }): Write =>
  readLive({ kind, metadata }, kind === 'Job' ? { tolerate: ['NotFound'] } : {});

/** The oldest successful and failed Jobs whose deletion satisfies the limits. */
export function beyondHistory({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  return [...oldest(jobs, 'Complete', spec.successfulJobsHistoryLimit), ...oldest(jobs, 'Failed', spec.failedJobsHistoryLimit)];
}

function oldest(jobs: readonly Job[], verdict: 'Complete' | 'Failed', limit: number | undefined): readonly Job[] {
  if (limit === undefined || jobs.length <= limit) return [];
  const finished = jobs.filter((job) => finishedCondition(job)?.type === verdict);
  return finished.length <= limit ? [] : finished.sort(byStartTime).slice(0, finished.length - limit);
}

/** Jobs that never started come last. */
function byStartTime(a: Job, b: Job): number {
  const from = a.status.startTime;
  const to = b.status.startTime;
  if (from === undefined || to === undefined)
    return from === to ? compareText(a.metadata.name, b.metadata.name) : from === undefined ? 1 : -1;
  return parseTime(from) - parseTime(to) || compareText(a.metadata.name, b.metadata.name);
}

/** The Job is named after the scheduled minute, so that no run is created twice, by any controller. */
export function jobOf(cronJob: CronJob, scheduledAt: number): ObjectInput {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const { labels, annotations } = metadata;
  const name = jobNameFor(cronJob.metadata.name, scheduledAt);
  return {
    apiVersion: cronJob.apiVersion,
    kind: 'Job',
    metadata: present({
      name,
      namespace: cronJob.metadata.namespace,
      labels,
      annotations,
      ownerReferences: [controllerReference(cronJob)],
    }),
    spec,
  };
}
