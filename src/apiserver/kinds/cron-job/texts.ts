/** Descriptions of CronJobs and their fields, in our words. Source: spec, "CronJob". */
import type { Texts, Values } from '../../machinery/index.ts';

export const cronJobTexts: Texts = {
  CronJob: { '': 'Creates Jobs on a schedule.' },
  CronJobSpec: {
    '': 'The schedule and the Jobs.',
    schedule: 'Five fields: minute, hour, day of month, month, day of week; or @hourly and similar names.',
    timeZone: "A name of the time-zone database. Absent: the zone of the controller's process.",
    startingDeadlineSeconds: 'The deadline of a start in seconds; a later one counts as missed.',
    concurrencyPolicy:
      'Allow: runs may overlap. Forbid: a run is skipped while an earlier one is active. Replace: the earlier one is cancelled.',
    suspend: 'True: no further runs start; active ones continue.',
    jobTemplate: 'The template of its Jobs.',
    successfulJobsHistoryLimit: 'The number of successful Jobs that are kept.',
    failedJobsHistoryLimit: 'The number of failed Jobs that are kept.',
  },
  JobTemplateSpec: {
    '': 'The template of a Job.',
    metadata: 'Labels and annotations of each Job.',
    spec: 'The specification of each Job.',
  },
  CronJobStatus: {
    '': 'The observed runs.',
    active: 'Active Jobs.',
    lastScheduleTime: 'The scheduled time of the latest run that was started.',
    lastSuccessfulTime: 'When a run last succeeded.',
  },
};

/** Fields with a closed set of values, sorted. */
export const cronJobValues: Values = {
  CronJobSpec: { concurrencyPolicy: ['Allow', 'Forbid', 'Replace'] },
};
