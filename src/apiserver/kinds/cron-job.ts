/** CronJob: Jobs on a schedule. Models: v1.24 batch/v1 CronJob, pkg/registry/batch/cronjob. */
import { loadLocation, parseSchedule } from '../../schema/schedule/index.ts';
import { always, atomicList, bool, count32, count64, field, filled, obj, oneOf, ptr, req, str, time } from '../../schema/shape/index.ts';
import type { Infer } from '../../schema/shape/index.ts';
import { ageOf, defineKind, keepStatus, selectorColumn, templateColumns } from '../machinery/index.ts';
import type { FieldError, KindContext } from '../objects/index.ts';
import { kindFields, labelSelector, objectMeta, type ObjectOf, objectReference } from '../structs/index.ts';
import { invalid, notSupported, required, shown, templateWarnings } from '../validation/index.ts';
import { validateUnselectedJobSpec } from './job/rules.ts';
import { bareJobSpec } from './job/shape.ts';

const jobTemplateSpec = obj(
  'JobTemplateSpec',
  'The template of a Job.',
  {
    metadata: field(1, 'Labels and annotations of each Job.', always(objectMeta)),
    spec: field(2, 'The specification of each Job.', always(bareJobSpec)),
  },
  { memo: true },
);

const POLICIES = ['Allow', 'Forbid', 'Replace'];

const cronJobSpec = obj('CronJobSpec', 'The schedule and the Jobs.', {
  schedule: field(1, 'Five fields: minute, hour, day of month, month, day of week; or @hourly and similar names.', req(str()), {
    column: ['Schedule', 'Schedule, in five fields.'],
  }),
  timeZone: field(8, "A name of the time-zone database. Absent: the zone of the controller's process.", ptr(str()), {
    since: 'CronJobTimeZone',
  }),
  startingDeadlineSeconds: field(2, 'The deadline of a start in seconds; a later one counts as missed.', ptr(count64)),
  concurrencyPolicy: field(
    3,
    'Allow: runs may overlap. Forbid: a run is skipped while an earlier one is active. Replace: the earlier one is cancelled.',
    oneOf(filled(str('ConcurrencyPolicy'), 'Allow'), POLICIES),
    { needed: true, among: POLICIES },
  ),
  suspend: field(4, 'True: no further runs start; active ones continue.', filled(ptr(bool), false)),
  jobTemplate: field(5, 'The template of its Jobs.', req(jobTemplateSpec)),
  successfulJobsHistoryLimit: field(6, 'The number of successful Jobs that are kept.', filled(ptr(count32), 3)),
  failedJobsHistoryLimit: field(7, 'The number of failed Jobs that are kept.', filled(ptr(count32), 1)),
});

const cronJobStatus = obj('CronJobStatus', 'The observed runs.', {
  active: field(1, 'Active Jobs.', atomicList(objectReference)),
  lastScheduleTime: field(4, 'The scheduled time of the latest run that was started.', ptr(time)),
  lastSuccessfulTime: field(5, 'When a run last succeeded.', ptr(time)),
});

const cronJobSchema = obj('CronJob', 'Creates Jobs on a schedule.', kindFields({ spec: cronJobSpec, status: cronJobStatus }));
/** A stored CronJob: defaulted, validated and frozen. */
export type CronJob = ObjectOf<'CronJob', Infer<typeof cronJobSchema>>;

/** The names of Jobs are eleven characters longer. */
const MAX_NAME = 52;

const nameErrors = ({ metadata: { name } }: CronJob): FieldError[] =>
  name.length > MAX_NAME ? [invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`)] : [];

function scheduleErrors({ spec: { schedule, timeZone } }: CronJob): FieldError[] {
  if (schedule === '') return [required('spec.schedule')];
  const parsed = parseSchedule(schedule);
  const errors = parsed.error === undefined ? [] : [invalid('spec.schedule', schedule, parsed.error)];
  if (schedule.includes('TZ') && timeZone !== undefined)
    errors.push(invalid('spec.schedule', schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  return errors;
}

/** A time zone must be in the database; the machine's local zone is refused. */
function timeZoneErrors({ spec: { timeZone: zone } }: CronJob): FieldError[] {
  const field = 'spec.timeZone';
  const errors: FieldError[] = [];
  if (zone === undefined) return errors;
  if (zone === '') return [invalid(field, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    errors.push(invalid(field, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  const loaded = loadLocation(zone);
  if (loaded.error !== undefined) errors.push(invalid(field, zone, loaded.error));
  return errors;
}

function templateErrors({ spec: { jobTemplate } }: CronJob, context: KindContext): FieldError[] {
  const field = 'spec.jobTemplate.spec';
  const errors = validateUnselectedJobSpec(jobTemplate.spec, field, context);
  const { selector, manualSelector } = jobTemplate.spec;
  if (selector !== undefined)
    errors.push(invalid(`${field}.selector`, shown(selector, labelSelector), '`selector` will be auto-generated'));
  if (manualSelector === true) errors.push(notSupported(`${field}.manualSelector`, manualSelector, ['nil', 'false']));
  return errors;
}

function cronJobWarnings(object: CronJob, old: CronJob | undefined, context: KindContext): readonly string[] {
  const { schedule, jobTemplate } = object.spec;
  const warnings = templateWarnings(
    jobTemplate.spec.template,
    object.metadata.generation !== old?.metadata.generation,
    'spec.jobTemplate.spec.template',
    context,
  );
  return schedule.includes('TZ')
    ? [
        ...warnings,
        'CRON_TZ or TZ used in spec.spec.schedule is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
      ]
    : warnings;
}

const lastSchedule = ({ status: { lastScheduleTime: at } }: CronJob, { now }: KindContext): string =>
  at === undefined ? '<none>' : ageOf(at, now);

const SPEC = [
  scheduleErrors,
  'spec.startingDeadlineSeconds',
  timeZoneErrors,
  'spec.concurrencyPolicy',
  templateErrors,
  'spec.successfulJobsHistoryLimit',
  'spec.failedJobsHistoryLimit',
] as const;

const FIELD = 'spec.jobTemplate.spec.activeDeadlineSeconds';

export const cronJob = defineKind<CronJob>({
  shortNames: ['cj'],
  categories: ['all'],
  groupPrefix: 'batch',
  schema: cronJobSchema,
  subresources: ['status'],
  generation: 'spec',
  prepareForCreate(draft) {
    draft.status = {};
  },
  prepareForUpdate: keepStatus,
  create: ['metadata', ...SPEC, nameErrors],
  update: ['changed metadata', ...SPEC],
  warnings: cronJobWarnings,
  columns: [
    'Name',
    'spec.schedule',
    ['Suspend', 'boolean', 'Whether runs are suspended.', ({ spec }) => (spec.suspend ? 'True' : 'False')],
    ['Active', 'integer', 'Active Jobs.', ({ status }) => (status.active ?? []).length],
    ['Last Schedule', 'string', 'Time since it last created a Job.', lastSchedule],
    'Age',
    ...templateColumns<CronJob>(({ spec }) => spec.jobTemplate.spec.template),
    selectorColumn<CronJob>(({ spec }) => spec.jobTemplate.spec.selector),
  ],
  models:
    'Complete. A schedule whose zone prefix ends without a blank is refused instead of crashing. Upstream: pkg/registry/batch/cronjob/strategy.go, pkg/apis/batch/validation.',
  specification: [
    {
      name: 'cron-job/deadline-is-positive',
      field: FIELD,
      statement: 'activeDeadlineSeconds is positive, also in a Job template.',
      place: 'resource-api.md: Job, spec.activeDeadlineSeconds',
      recorded: 'accepts 0',
      check: ({ spec }) => (spec.jobTemplate.spec.activeDeadlineSeconds === 0 ? [invalid(FIELD, 0, 'must be greater than 0')] : []),
    },
    {
      name: 'cron-job/forbidden-runs-come-late',
      field: 'spec.concurrencyPolicy',
      statement: 'Forbid skips the next run while the previous run is unfinished.',
      place: 'spec.concurrencyPolicy; States and transitions',
      recorded: 'starts the latest missed run when no Job is active, unless its deadline has passed',
      does: 'interpreted as v1.24 does, in either mode: a run is skipped while another is unfinished; afterwards it is a missed run like any other, subject to spec.startingDeadlineSeconds',
    },
    {
      name: 'cron-job/missed-runs-leave-no-job',
      field: 'spec.startingDeadlineSeconds',
      statement: 'A run whose deadline has passed counts as failed.',
      recorded: 'creates no Job for it, and counts nothing',
      does: 'interpreted as v1.24 does, in either mode: failed means that the run is never started later; the status has no field that counts such runs, and failedJobsHistoryLimit concerns Jobs that were created',
    },
  ],
});
