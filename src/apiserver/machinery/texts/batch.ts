/** Jobs and CronJobs. Source: spec, "Job", "CronJob". */
import type { Texts } from './texts.ts';

export const BATCH: Texts = {
  JobSpec: {
    '': 'How the work is to be done.',
    parallelism: 'How many pods may run at a time. 0 pauses the Job. Towards the end there are fewer: only as many as are still needed.',
    completions: 'How many pods have to succeed. Absent: a work queue, the success of any pod ends it. 1 limits parallelism to 1.',
    activeDeadlineSeconds:
      'Seconds from the start for which the Job may be active; then its pods are ended and it fails. The time of a suspended Job stands still, and begins anew when it is resumed.',
    backoffLimit: 'How many failures are tolerated before the Job fails.',
    selector: 'The pods that count as its own; normally left to the system.',
    manualSelector: 'Says that the selector was chosen by hand and that this is meant.',
    template: 'The pods it makes. Their restartPolicy is Never or OnFailure.',
    ttlSecondsAfterFinished: 'Seconds after its end at which it is deleted; 0: at once, absent: never. Finalizers are honoured.',
    completionMode:
      'NonIndexed: pods are alike. Indexed: each has an index from 0 to completions-1, in an annotation and in its host name, and the Job is complete when every index has succeeded.',
    suspend: 'True: no pods are made, and those that run are deleted. Resuming sets a new start time.',
  },
};
