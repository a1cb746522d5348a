/** The Job of a run. Models: v1.24 pkg/controller/cronjob getJobFromTemplate2. */
import type { CronJob } from '../../../apiserver/kinds/index.ts';
import type { ObjectInput } from '../../../apiserver/machinery/index.ts';
import { controllerReference } from '../../shared/index.ts';
import { jobNameFor } from './missed.ts';

/** The Job is named after the scheduled minute, so that no run is created twice, by any controller. */
export function jobOf(cronJob: CronJob, scheduledAt: number): ObjectInput {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const { labels, annotations } = metadata;
  return {
    apiVersion: cronJob.apiVersion,
    kind: 'Job',
    metadata: {
      name: jobNameFor(cronJob.metadata.name, scheduledAt),
      ...(cronJob.metadata.namespace === undefined ? {} : { namespace: cronJob.metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(cronJob)],
    },
    spec,
  };
}
