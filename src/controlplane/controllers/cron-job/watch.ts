/** When a change is a reason to look at a CronJob. Models: v1.24 pkg/controller/cronjob addJob, updateJob, deleteJob, updateCronJob. */
import { type ApiObject, controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { CronJob } from '../../../apiserver/kinds/index.ts';
import type { Delta, Enqueue, ObserveContext } from '../../runtime/index.ts';
import { referenced } from '../../shared/index.ts';
import { nextLook, type ZoneOfProcess } from './due.ts';

/** A Job concerns the CronJob that manages it, and the one that did. */
export function cronJobsOfJob({ object, old }: Delta<'Job'>, context: ObserveContext): readonly string[] {
  const owner = ownerKey(object, context);
  const former = old === undefined ? undefined : ownerKey(old, context);
  return [...(former === undefined || former === owner ? [] : [former]), ...(owner === undefined ? [] : [owner])];
}

/** The CronJob of that name, if it still is the one that is meant. */
function ownerKey(job: ApiObject, context: ObserveContext): string | undefined {
  const cronJob = referenced('CronJob', job.metadata.namespace, controllerOf(job), context);
  return cronJob === undefined ? undefined : keyOf(cronJob);
}

/** A new schedule is first looked at when it first fires (at once if it never does); any other change at once. */
export function afterChange(
  { object: cronJob, old: before, type, key }: Delta<'CronJob'>,
  { now, gates, state }: ObserveContext<ZoneOfProcess>,
): Enqueue | undefined {
  if (type !== 'MODIFIED' || before === undefined || !isRescheduled(cronJob, before, gates)) return key;
  return { key, afterMs: (nextLook(cronJob, { now, gates, state }) ?? now) - now };
}

const isRescheduled = ({ spec }: CronJob, before: CronJob, gates: ObserveContext['gates']): boolean =>
  spec.schedule !== before.spec.schedule || (gates['CronJobTimeZone'] === true && spec.timeZone !== before.spec.timeZone);
