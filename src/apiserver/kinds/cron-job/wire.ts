/** Protobuf field numbers of CronJobs, by struct. Source: v1.24 staging/src/k8s.io/api generated.proto. */
import type { Wire } from '../../machinery/index.ts';

export const cronJobWire: Wire = {
  CronJob: 'metadata=1 spec=2 status=3',
  CronJobSpec:
    'schedule=1 startingDeadlineSeconds=2 concurrencyPolicy=3 suspend=4 jobTemplate=5 successfulJobsHistoryLimit=6 failedJobsHistoryLimit=7 timeZone=8',
  CronJobStatus: 'active=1 lastScheduleTime=4 lastSuccessfulTime=5',
  JobTemplateSpec: 'metadata=1 spec=2',
};
