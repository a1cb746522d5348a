/** How invariants read Jobs and CronJobs. */
import { type ApiObject, controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import type { Facts } from '../invariant.ts';

/** Returns the object with its type; undefined: it is of another kind. */
export const asJob = (object: ApiObject | undefined): Job | undefined => (object?.kind === 'Job' ? (object as Job) : undefined);
export const asCronJob = (object: ApiObject | undefined): CronJob | undefined =>
  object?.kind === 'CronJob' ? (object as CronJob) : undefined;
/** Returns how a Job has finished; undefined: it has not. */
export const verdictOf = (job: Job): 'Complete' | 'Failed' | undefined => {
  for (const { type, status } of job.status.conditions ?? [])
    if (status === 'True' && (type === 'Complete' || type === 'Failed')) return type;
  return undefined;
};

/**
 * A decision made before a change of the CronJob was observed may still take effect: the old value is valid for this long, milliseconds.
 */
export const GRACE_MS = 10_000;
/** Returns the stored CronJob to which a Job belongs. */
export function cronJobOf(job: Job, facts: Facts): CronJob | undefined {
  const owner = controllerOf(job);
  if (owner?.kind !== 'CronJob') return undefined;
  const found = asCronJob(facts.get('CronJob', storeKey(job.metadata.namespace, owner.name)));
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/** Returns the scheduled minute in the name of a Job, if it has one: `hello-28401120`. */
export function minuteOf(job: Job, cronJob: CronJob): number | undefined {
  const prefix = `${cronJob.metadata.name}-`;
  if (!job.metadata.name.startsWith(prefix)) return undefined;
  const digits = job.metadata.name.slice(prefix.length);
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}
