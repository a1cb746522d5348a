/** The schema of CronJobs: fields, types, and the defaults that depend only on the object. */
import { always, atomicList, bool, filled, type Infer, int32, int64, obj, ptr, req, str, time } from '../../../schema/shape/index.ts';
import { objectMeta, type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';
import { bareJobSpec } from '../job/shape.ts';

const jobTemplateSpec = obj('JobTemplateSpec', { metadata: always(objectMeta), spec: always(bareJobSpec) }, { memo: true });

const cronJobSpec = obj('CronJobSpec', {
  schedule: req(str()),
  timeZone: ptr(str()),
  startingDeadlineSeconds: ptr(int64),
  concurrencyPolicy: filled(str('ConcurrencyPolicy'), 'Allow'),
  suspend: filled(ptr(bool), false),
  jobTemplate: req(jobTemplateSpec),
  successfulJobsHistoryLimit: filled(ptr(int32), 3),
  failedJobsHistoryLimit: filled(ptr(int32), 1),
});
export type CronJobSpec = Infer<typeof cronJobSpec>;

const cronJobStatus = obj('CronJobStatus', {
  active: atomicList(objectReference),
  lastScheduleTime: ptr(time),
  lastSuccessfulTime: ptr(time),
});

export const cronJobSchema = obj('CronJob', { ...typeMeta, spec: always(cronJobSpec), status: always(cronJobStatus) });
/** A stored CronJob: defaulted, validated and frozen. */
export type CronJob = ObjectOf<'CronJob', Infer<typeof cronJobSchema>>;
