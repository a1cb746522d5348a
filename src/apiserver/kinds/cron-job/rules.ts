/** Validation of CronJobs. Models: v1.24 pkg/apis/batch/validation, pkg/registry/batch/cronjob/strategy.go. */
import { append } from '../../../schema/values/index.ts';
import { loadLocation, parseSchedule } from '../../../schema/schedule/index.ts';
import {
  type Draft,
  dropGatedPodFields,
  type FieldError,
  invalid,
  keepStatus,
  type KindContext,
  labelSelectorType,
  nonNegative,
  notSupported,
  required,
  shown,
  subdomainName,
  templateWarnings,
  validateMeta,
  validateMetaUpdate,
} from '../../machinery/index.ts';
import type { CronJob, CronJobSpec } from './shape.ts';
import { validateUnselectedJobSpec } from '../job/rules.ts';

/** The names of Jobs are eleven characters longer. */
const MAX_NAME = 52;
const POLICIES = ['Allow', 'Forbid', 'Replace'];

export function prepareCronJob(draft: Draft<CronJob>, context: KindContext): void {
  draft.status = {};
  dropGatedPodFields(draft.spec.jobTemplate.spec.template, undefined, context);
  if (context.gates['CronJobTimeZone'] !== true) delete draft.spec.timeZone;
}

export function prepareCronJobUpdate(draft: Draft<CronJob>, old: CronJob, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.jobTemplate.spec.template, old.spec.jobTemplate.spec.template, context);
  if (context.gates['CronJobTimeZone'] !== true && old.spec.timeZone === undefined) delete draft.spec.timeZone;
}

export function validateCronJob(object: CronJob, context: KindContext): FieldError[] {
  const { metadata, spec } = object;
  const errors = [...validateMeta(object, true, subdomainName, context), ...specErrors(spec, context)];
  if (metadata.name.length > MAX_NAME) errors.push(invalid('metadata.name', metadata.name, `must be no more than ${MAX_NAME} characters`));
  return errors;
}

export function validateCronJobUpdate(object: CronJob, old: CronJob, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(object, old, context);
  return object.spec === old.spec ? errors : [...errors, ...specErrors(object.spec, context)];
}

function specErrors(spec: CronJobSpec, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.schedule === '') errors.push(required('spec.schedule'));
  else {
    const parsed = parseSchedule(spec.schedule);
    if (parsed.error !== undefined) errors.push(invalid('spec.schedule', spec.schedule, parsed.error));
    if (spec.schedule.includes('TZ') && spec.timeZone !== undefined)
      errors.push(invalid('spec.schedule', spec.schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  }
  nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds', errors);
  if (spec.timeZone !== undefined) append(errors, timeZoneErrors(spec.timeZone));
  if (spec.concurrencyPolicy === '') errors.push(required('spec.concurrencyPolicy'));
  else if (!POLICIES.includes(spec.concurrencyPolicy))
    errors.push(notSupported('spec.concurrencyPolicy', spec.concurrencyPolicy, POLICIES));
  append(errors, templateErrors(spec, context));
  nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit', errors);
  nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit', errors);
  return errors;
}

/** A time zone must be in the database; the machine's local zone is refused. */
function timeZoneErrors(zone: string): FieldError[] {
  const field = 'spec.timeZone';
  const errors: FieldError[] = [];
  if (zone === '') return [invalid(field, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local')
    errors.push(invalid(field, zone, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'));
  const loaded = loadLocation(zone);
  if (loaded.error !== undefined) errors.push(invalid(field, zone, loaded.error));
  return errors;
}

function templateErrors({ jobTemplate }: CronJobSpec, context: KindContext): FieldError[] {
  const field = 'spec.jobTemplate.spec';
  const errors = validateUnselectedJobSpec(jobTemplate.spec, field, context);
  const { selector, manualSelector } = jobTemplate.spec;
  if (selector !== undefined)
    errors.push(invalid(`${field}.selector`, shown(selector, labelSelectorType), '`selector` will be auto-generated'));
  if (manualSelector === true) errors.push(notSupported(`${field}.manualSelector`, manualSelector, ['nil', 'false']));
  return errors;
}

export function cronJobWarnings(object: CronJob, old: CronJob | undefined, context: KindContext): readonly string[] {
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
