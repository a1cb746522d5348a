/**
 * Job: run-to-completion work executed by pods. Models: v1.24 batch/v1 Job, pkg/registry/batch/job, pkg/apis/batch validation and defaults.
 */
import { defineKind, templateWarnings } from '../../machinery/index.ts';
import { jobSpecification } from './specification.ts';
import { jobColumns } from './columns.ts';
import { validateJob, validateJobStatusUpdate, validateJobUpdate } from './rules.ts';
import { type Job, jobSchema } from './shape.ts';
import { jobExample } from './example.ts';
import { defaultJob, prepareJob, prepareJobUpdate } from './strategy.ts';

export const job = defineKind<Job>({
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  groupPrefix: 'batch',
  version: 'v1',
  namespaced: true,
  schema: jobSchema,
  subresources: ['status'],
  generation: 'spec',
  defaultPropagation: 'Orphan',
  applyDefaults: { reads: ['labels', 'spec'], run: defaultJob },
  prepareForCreate: prepareJob,
  prepareForUpdate: prepareJobUpdate,
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatusUpdate: validateJobStatusUpdate,
  fieldSelectors: { 'status.successful': (object) => String(object.status.succeeded ?? 0) },
  fieldSelectorError: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  columns: jobColumns,
  models: 'Complete. Upstream: pkg/registry/batch/job/strategy.go, pkg/apis/batch/validation.',
  specification: jobSpecification,
  example: jobExample,
});
