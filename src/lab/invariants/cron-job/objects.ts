/** Jobs and CronJobs as their invariants see them. */
import { type ApiObject, controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { CronJob, Job } from '../../../apiserver/kinds/index.ts';
import type { Facts } from '../invariant.ts';

/** The object, where it is one. */
export const asJob = (object: ApiObject | undefined): Job | undefined => (object?.kind === 'Job' ? (object as Job) : undefined);
export const asCronJob = (object: ApiObject | undefined): CronJob | undefined =>
  object?.kind === 'CronJob' ? (object as CronJob) : undefined;
/** How a Job has ended, if it has. */
export const verdictOf = (job: Job): 'Complete' | 'Failed' | undefined => {
  for (const { type, status } of job.status.conditions ?? [])
    if (status === 'True' && (type === 'Complete' || type === 'Failed')) return type;
  return undefined;
};

/** A decision made before a change of the CronJob was seen may still act: the old value counts for this long. */
export const GRACE_MS = 10_000;
/** The CronJob a Job belongs to, as it is stored. */
export function cronJobOf(job: Job, facts: Facts): CronJob | undefined {
  const owner = controllerOf(job);
  if (owner?.kind !== 'CronJob') return undefined;
  const found = asCronJob(facts.get('CronJob', storeKey(job.metadata.namespace, owner.name)));
  return found?.metadata.uid === owner.uid ? found : undefined;
}

/** The scheduled minute in the name of a Job, if it has one: `hello-28401120`. */
export function minuteOf(job: Job, cronJob: CronJob): number | undefined {
  const prefix = `${cronJob.metadata.name}-`;
  if (!job.metadata.name.startsWith(prefix)) return undefined;
  const digits = job.metadata.name.slice(prefix.length);
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}
