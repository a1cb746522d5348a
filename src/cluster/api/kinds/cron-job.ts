/** CronJob: Jobs on a schedule. Models: v1.24 batch/v1 CronJob, pkg/registry/batch/cronjob. */
import { always, atomicList, bool, filled, int32, int64, obj, ptr, req, str, time, type Infer } from '../../schema/index.ts';
import { ageColumn, ageOf, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { formatLabelSelector } from '../../values/index.ts';
import { objectMeta, objectReference, typeMeta, type ObjectOf } from '../shapes/meta.ts';
import { cronJobWarnings, prepareCronJob, prepareCronJobUpdate, validateCronJob, validateCronJobUpdate } from './cron-job-validation.ts';
import { bareJobSpec } from './job.ts';
import { containerNames, imageNames } from './pod-columns.ts';

const jobTemplateSpec = obj('JobTemplateSpec', { metadata: always(objectMeta), spec: always(bareJobSpec) }, { memo: true });
export type JobTemplateSpec = Infer<typeof jobTemplateSpec>;

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

const cronJobStatus = obj('CronJobStatus', { active: atomicList(objectReference), lastScheduleTime: ptr(time), lastSuccessfulTime: ptr(time) });
export type CronJobStatus = Infer<typeof cronJobStatus>;

export const cronJobSchema = obj('CronJob', { ...typeMeta, spec: always(cronJobSpec), status: always(cronJobStatus) });
export type CronJob = ObjectOf<'CronJob', Infer<typeof cronJobSchema>>;

export const cronJob = defineKind<CronJob>({
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  groupPrefix: 'batch',
  version: 'v1',
  namespaced: true,
  schema: cronJobSchema,
  subresources: ['status'],
  generation: 'spec',
  prepareForCreate: prepareCronJob,
  prepareForUpdate: prepareCronJobUpdate,
  validate: validateCronJob,
  validateUpdate: validateCronJobUpdate,
  warnings: cronJobWarnings,
  columns: [
    nameColumn,
    { name: 'Schedule', type: 'string', description: 'The schedule in Cron format, see https://en.wikipedia.org/wiki/Cron.', priority: 0, cell: (object) => object.spec.schedule },
    { name: 'Suspend', type: 'boolean', description: 'This flag tells the controller to suspend subsequent executions, it does not apply to already started executions.  Defaults to false.', priority: 0, cell: (object) => (object.spec.suspend ? 'True' : 'False') },
    { name: 'Active', type: 'integer', description: 'A list of pointers to currently running jobs.', priority: 0, cell: (object) => (object.status.active ?? []).length },
    { name: 'Last Schedule', type: 'string', description: 'Information when was the last time the job was successfully scheduled.', priority: 0, cell: (object, { now }) => { const at = object.status.lastScheduleTime; return at === undefined ? '<none>' : ageOf(at, now); } },
    ageColumn,
    { name: 'Containers', type: 'string', description: 'Names of each container in the template.', priority: 1, cell: (object) => containerNames(object.spec.jobTemplate.spec.template.spec) },
    { name: 'Images', type: 'string', description: 'Images referenced by each container in the template.', priority: 1, cell: (object) => imageNames(object.spec.jobTemplate.spec.template.spec) },
    { name: 'Selector', type: 'string', description: 'A label query over pods that should match the pod count.', priority: 1, cell: (object) => formatLabelSelector(object.spec.jobTemplate.spec.selector) },
  ],
  models: 'Complete. A schedule whose zone prefix ends without a blank is refused instead of crashing. Upstream: pkg/registry/batch/cronjob/strategy.go, pkg/apis/batch/validation.',
});
