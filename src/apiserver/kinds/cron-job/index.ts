/** CronJob: Jobs on a schedule. Models: v1.24 batch/v1 CronJob, pkg/registry/batch/cronjob. */
import { defineKind } from '../../machinery/index.ts';
import { cronJobSpecification } from './specification.ts';
import { cronJobColumns } from './columns.ts';
import { cronJobWarnings, prepareCronJob, prepareCronJobUpdate, validateCronJob, validateCronJobUpdate } from './rules.ts';
import { type CronJob, cronJobSchema } from './shape.ts';
import { cronJobExample } from './example.ts';

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
  columns: cronJobColumns,
  models:
    'Complete. A schedule whose zone prefix ends without a blank is refused instead of crashing. Upstream: pkg/registry/batch/cronjob/strategy.go, pkg/apis/batch/validation.',
  specification: cronJobSpecification,
  example: cronJobExample,
});
