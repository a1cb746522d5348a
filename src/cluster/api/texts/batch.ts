/** Jobs and CronJobs. Source: spec, "Job", "CronJob". */
import { conditionTexts, LAST_PROBE, type Texts } from './texts.ts';

export const BATCH: Texts = {
  Job: { '': 'Work that runs to completion, done by pods.' },
  JobSpec: {
    '': 'How the work is to be done.',
    parallelism: 'How many pods may run at a time. 0 pauses the Job. Towards the end there are fewer: only as many as are still needed.',
    completions: 'How many pods have to succeed. Absent: a work queue, the success of any pod ends it. 1 limits parallelism to 1.',
    activeDeadlineSeconds: 'Seconds from the start for which the Job may be active; then its pods are ended and it fails. The time of a suspended Job stands still, and begins anew when it is resumed.',
    backoffLimit: 'How many failures are tolerated before the Job fails.',
    selector: 'The pods that count as its own; normally left to the system.',
    manualSelector: 'Says that the selector was chosen by hand and that this is meant.',
    template: 'The pods it makes. Their restartPolicy is Never or OnFailure.',
    ttlSecondsAfterFinished: 'Seconds after its end at which it is deleted; 0: at once, absent: never. Finalizers are honoured.',
    completionMode: 'NonIndexed: pods are alike. Indexed: each has an index from 0 to completions-1, in an annotation and in its host name, and the Job is complete when every index has succeeded.',
    suspend: 'True: no pods are made, and those that run are deleted. Resuming sets a new start time.',
  },
  JobStatus: {
    '': 'How far the work is.',
    conditions: 'Complete, Failed or Suspended. The first two are final.',
    startTime: 'When the controller began; a Job that was created suspended has none before it is resumed, and each resumption sets it anew.',
    completionTime: 'When it was done; a Job that failed has none.',
    active: 'Pods that are pending or running.', succeeded: 'Pods that ended well.', failed: 'Pods that ended badly.',
    completedIndexes: 'Indexes that have succeeded, as in 1,3-5,7: numbers in order, three and more in a row as first-last.',
    uncountedTerminatedPods: 'Pods that ended and are not yet part of the counters: they have their finalizer until they are. Null for a Job that does not track in this way.',
    ready: 'Pods that are ready.',
  },
  JobCondition: { ...LAST_PROBE, ...conditionTexts('How it stands with the Job.', 'Complete, Failed or Suspended') },
  UncountedTerminatedPods: { '': 'Uids of pods on their way into the counters.', succeeded: 'Of pods that ended well.', failed: 'Of pods that ended badly.' },
  CronJob: { '': 'Jobs made at the times of a schedule.' },
  CronJobSpec: {
    '': 'When, and what.',
    schedule: 'Five fields: minute, hour, day of month, month, day of week; or @hourly and its like.',
    timeZone: 'A name of the time-zone database. Absent: the zone of the controller\'s process.',
    startingDeadlineSeconds: 'How late a start may be; what is later counts as missed.',
    concurrencyPolicy: 'Allow: runs may overlap. Forbid: a run is skipped while an earlier one goes on. Replace: the earlier one is cancelled.',
    suspend: 'True: no further runs start; those that have started go on.',
    jobTemplate: 'The Jobs it makes.',
    successfulJobsHistoryLimit: 'How many Jobs that ended well are kept.', failedJobsHistoryLimit: 'How many Jobs that failed are kept.',
  },
  JobTemplateSpec: { '': 'What every Job is made of.', metadata: 'Labels and annotations that each one gets.', spec: 'The work.' },
  CronJobStatus: { '': 'What it has started.', active: 'Jobs that are going on.', lastScheduleTime: 'The scheduled time of the latest run that was started.', lastSuccessfulTime: 'When a run last ended well.' },
};
