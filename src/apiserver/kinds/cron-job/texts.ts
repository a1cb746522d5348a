/** Descriptions of CronJobs and their fields, in our words. Source: spec, "CronJob". */
import type { Texts, Values } from '../../machinery/index.ts';

export const cronJobTexts: Texts = {
  CronJob: { '': 'Jobs made at the times of a schedule.' },
  CronJobSpec: {
    '': 'When, and what.',
    schedule: 'Five fields: minute, hour, day of month, month, day of week; or @hourly and its like.',
    timeZone: "A name of the time-zone database. Absent: the zone of the controller's process.",
    startingDeadlineSeconds: 'How late a start may be; what is later counts as missed.',
    concurrencyPolicy:
      'Allow: runs may overlap. Forbid: a run is skipped while an earlier one goes on. Replace: the earlier one is cancelled.',
    suspend: 'True: no further runs start; those that have started go on.',
    jobTemplate: 'The Jobs it makes.',
    successfulJobsHistoryLimit: 'How many Jobs that ended well are kept.',
    failedJobsHistoryLimit: 'How many Jobs that failed are kept.',
  },
  JobTemplateSpec: { '': 'What every Job is made of.', metadata: 'Labels and annotations that each one gets.', spec: 'The work.' },
  CronJobStatus: {
    '': 'What it has started.',
    active: 'Jobs that are going on.',
    lastScheduleTime: 'The scheduled time of the latest run that was started.',
    lastSuccessfulTime: 'When a run last ended well.',
  },
};

/** Fields with a closed set of values, sorted. */
export const cronJobValues: Values = {
  CronJobSpec: { concurrencyPolicy: ['Allow', 'Forbid', 'Replace'] },
};
