/** Jobs and CronJobs. Source: spec, "Job", "CronJob". */
import type { Texts } from './texts.ts';

export const BATCH: Texts = {
  JobSpec: {
    '': 'The specification of the work.',
    parallelism: 'The maximum number of running pods. 0 pauses the Job. Near the end it is lower: only as many as are still needed.',
    completions:
      'The number of pods that must succeed. Absent: a work queue, which the success of any pod ends. 1 limits parallelism to 1.',
    activeDeadlineSeconds:
      'Seconds from the start for which the Job may be active; then its pods are deleted and it fails. The time does not run for a suspended Job, and starts again when it is resumed.',
    backoffLimit: 'The number of failures before the Job fails.',
    selector: 'The pods of the Job; normally generated.',
    manualSelector: 'Confirms that the selector was set on purpose.',
    template: 'The template of the pods. Their restartPolicy is Never or OnFailure.',
    ttlSecondsAfterFinished: 'Seconds after its end at which it is deleted; 0: at once, absent: never. Finalizers are respected.',
    completionMode:
      'NonIndexed: pods are interchangeable. Indexed: each has an index from 0 to completions-1, in an annotation and in its host name, and the Job is complete when every index has succeeded.',
    suspend: 'True: no pods are created, and running ones are deleted. Resuming sets a new start time.',
  },
};
