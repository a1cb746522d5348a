/** Which changes enqueue a CronJob. Models: v1.24 pkg/controller/cronjob addJob, updateJob, deleteJob, updateCronJob. */
import { type ApiObject, controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { CronJob } from '../../../apiserver/kinds/index.ts';
import type { Delta, Enqueue, ObserveContext } from '../../runtime/index.ts';
import { referenced } from '../../shared/index.ts';
import { nextLook, type ZoneOfProcess } from './due.ts';

/** The CronJobs that control a Job, or did before the change. */
export function cronJobsOfJob({ object, old }: Delta<'Job'>, context: ObserveContext): readonly string[] {
  const owner = ownerKey(object, context);
  const former = old === undefined ? undefined : ownerKey(old, context);
  return [...(former === undefined || former === owner ? [] : [former]), ...(owner === undefined ? [] : [owner])];
}

/** The key of the CronJob in the controller reference, if its uid is the same. */
function ownerKey(job: ApiObject, context: ObserveContext): string | undefined {
  const cronJob = referenced('CronJob', job.metadata.namespace, controllerOf(job), context);
  return cronJob === undefined ? undefined : keyOf(cronJob);
}

/** A new schedule enqueues the key for its first run (at once if there is none); any other change enqueues it at once. */
export function afterChange(
  { object: cronJob, old: before, type, key }: Delta<'CronJob'>,
  { now, gates, state }: ObserveContext<ZoneOfProcess>,
): Enqueue | undefined {
  if (type !== 'MODIFIED' || before === undefined || !isRescheduled(cronJob, before, gates)) return key;
  return { key, afterMs: (nextLook(cronJob, { now, gates, state }) ?? now) - now };
}

const isRescheduled = ({ spec }: CronJob, before: CronJob, gates: ObserveContext['gates']): boolean =>
  spec.schedule !== before.spec.schedule || (gates['CronJobTimeZone'] === true && spec.timeZone !== before.spec.timeZone);
