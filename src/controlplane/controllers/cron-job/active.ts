/**
 * The list of running Jobs in a CronJob's status against the Jobs there are. Models: v1.24 pkg/controller/cronjob syncCronJob, its first
 * half. Nothing is adopted: an unfinished Job that is not on the list is only reported. Before a Job counts as missing, or as unexpected,
 * the server itself is asked.
 */
import type { ApiObject, ObjectReference } from '../../../apiserver/machinery/index.ts';
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import { isOf, record, type Write } from '../../runtime/index.ts';
import { parseTime } from '../../../schema/values/index.ts';
import { finishedCondition } from '../../shared/index.ts';

/** What the server has answered in the course of one sync. */
export interface Known {
  /** The CronJob as it is, if it was asked for. */
  readonly live?: CronJob;
  /** By name: whether a Job exists. */
  readonly jobs: ReadonlyMap<string, boolean>;
}
export const NOTHING_KNOWN: Known = { jobs: new Map() };

export interface Observed {
  readonly active: readonly ObjectReference[];
  readonly lastSuccessfulTime: string | undefined;
  /** In words: what is new; may be empty. */
  readonly notes: readonly string[];
  readonly events: readonly Write[];
}
/** What has to be asked before anything can be decided. */
export interface Question {
  readonly ask: Write;
  readonly why: string;
}

/** Which runs still go on, and when the last one succeeded. */
export function observe(cronJob: CronJob, jobs: readonly Job[], known: Known): Observed | Question {
  const listed = cronJob.status.active ?? [];
  const isListed = memberOf(listed);
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
      if (isListed(uid)) continue;
      if (known.live === undefined)
        return {
          ask: ask('CronJob', cronJob.metadata),
          why: `${name} is not in status.active of the cached CronJob: read the CronJob from the API server`,
        };
      events.push(record(cronJob, 'Warning', 'UnexpectedJob', `Saw a job that the controller did not create or forgot: ${name}`));
    } else if (isListed(uid)) {
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
        ask: ask('Job', { name, ...(namespace === undefined ? {} : { namespace }) }),
        why: `${name} is in status.active but not in the cache: read the Job from the API server`,
      };
    if (exists) continue;
    gone.add(uid);
    notes.push(`${name} went missing`);
    events.push(record(cronJob, 'Normal', 'MissingJob', `Active job went missing: ${name}`));
  }
  return { active: gone.size === 0 ? listed : listed.filter(({ uid = '' }) => !gone.has(uid)), lastSuccessfulTime, notes, events };
}

/** The knowledge with one more answer. */
export function learn(known: Known, write: Write, object: ApiObject | undefined): Known {
  if (write.op !== 'get') return known;
  if (write.kind === 'CronJob') return { ...known, ...(isOf('CronJob', object) ? { live: object } : {}) };
  return { ...known, jobs: new Map(known.jobs).set(write.name, object !== undefined) };
}

function memberOf(list: readonly ObjectReference[]): (uid: string) => boolean {
  if (list.length < 8) return (uid) => list.some((reference) => reference.uid === uid);
  const uids = new Set(list.map(({ uid }) => uid));
  return (uid) => uids.has(uid);
}

/** That a Job is gone is an answer; a CronJob that is gone needs none. */
const ask = (kind: 'CronJob' | 'Job', { name, namespace }: { readonly name: string; readonly namespace?: string }): Write => ({
  op: 'get',
  kind,
  name,
  ...(namespace === undefined ? {} : { namespace }),
  resume: true,
  ...(kind === 'Job' ? { tolerate: ['NotFound'] } : {}),
});
