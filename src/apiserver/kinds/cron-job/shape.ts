/** The schema of CronJobs: fields, types, and the defaults that depend only on the object. */
import {
  always,
  atomicList,
  bool,
  filled,
  type Infer,
  int32,
  int64,
  obj,
  ptr,
  req,
  str,
  time,
  field,
  oneOf,
} from '../../../schema/shape/index.ts';
import { objectMeta, type ObjectOf, objectReference, typeMeta } from '../../machinery/index.ts';
import { bareJobSpec } from '../job/shape.ts';

const jobTemplateSpec = obj(
  'JobTemplateSpec',
  'What every Job is made of.',
  {
    metadata: field(1, 'Labels and annotations that each one gets.', always(objectMeta)),
    spec: field(2, 'The work.', always(bareJobSpec)),
  },
  { memo: true },
);

const cronJobSpec = obj('CronJobSpec', 'When, and what.', {
  schedule: field(1, 'Five fields: minute, hour, day of month, month, day of week; or @hourly and its like.', req(str())),
  timeZone: field(8, "A name of the time-zone database. Absent: the zone of the controller's process.", ptr(str())),
  startingDeadlineSeconds: field(2, 'How late a start may be; what is later counts as missed.', ptr(int64)),
  concurrencyPolicy: field(
    3,
    'Allow: runs may overlap. Forbid: a run is skipped while an earlier one goes on. Replace: the earlier one is cancelled.',
    oneOf(filled(str('ConcurrencyPolicy'), 'Allow'), ['Allow', 'Forbid', 'Replace']),
  ),
  suspend: field(4, 'True: no further runs start; those that have started go on.', filled(ptr(bool), false)),
  jobTemplate: field(5, 'The Jobs it makes.', req(jobTemplateSpec)),
  successfulJobsHistoryLimit: field(6, 'How many Jobs that ended well are kept.', filled(ptr(int32), 3)),
  failedJobsHistoryLimit: field(7, 'How many Jobs that failed are kept.', filled(ptr(int32), 1)),
});
export type CronJobSpec = Infer<typeof cronJobSpec>;

const cronJobStatus = obj('CronJobStatus', 'What it has started.', {
  active: field(1, 'Jobs that are going on.', atomicList(objectReference)),
  lastScheduleTime: field(4, 'The scheduled time of the latest run that was started.', ptr(time)),
  lastSuccessfulTime: field(5, 'When a run last ended well.', ptr(time)),
});

export const cronJobSchema = obj('CronJob', 'Jobs made at the times of a schedule.', {
  ...typeMeta,
  spec: field(2, always(cronJobSpec)),
  status: field(3, always(cronJobStatus)),
});
/** A stored CronJob: defaulted, validated and frozen. */
export type CronJob = ObjectOf<'CronJob', Infer<typeof cronJobSchema>>;
