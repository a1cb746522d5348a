/**
 * Removes the tracking finalizer from pods whose Job is gone or has finished, so that they can be deleted. Models: v1.24 pkg/controller/job
 * syncOrphanPod and its queue.
 */
import { controllerOf, keyOf } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { defineController, idle, watch, write, type ObserveContext } from '../../runtime/index.ts';
import { dropFinalizers, finishedCondition, referenced } from '../../shared/index.ts';
import { JOB_BACKOFF } from './conditions.ts';
import { hasTrackingFinalizer, jobPods } from './pods.ts';

/** Whether no Job will remove the finalizer. */
function isLeft(pod: Pod, context: Pick<ObserveContext, 'cache'>): boolean {
  const job = referenced('Job', pod.metadata.namespace, controllerOf(pod), context);
  return job === undefined || finishedCondition(job) !== undefined;
}

export const jobOrphanPods = defineController({
  name: 'job-orphan-pods',
  component: 'job-controller',
  writes: ['Pod'],
  backoff: JOB_BACKOFF,
  models: 'Complete. Upstream: pkg/controller/job/job_controller.go, the orphan queue.',
  aggregates: [jobPods],
  watches: [
    watch('Pod', ({ object: pod, key, type }, context) =>
      type !== 'DELETED' && hasTrackingFinalizer(pod) && isLeft(pod, context) ? key : undefined,
    ),
    watch('Job', ({ object: job, type }, { cache }) =>
      type !== 'DELETED' && finishedCondition(job) === undefined
        ? undefined
        : [...cache.aggregate(jobPods, job.metadata.uid).tracked.values()].map(keyOf),
    ),
  ],
  reconcile: ({ key, cache, names }) => {
    const pod = cache.byKey('Pod', key);
    if (pod === undefined || !hasTrackingFinalizer(pod)) return idle('it has no tracking finalizer');
    if (!isLeft(pod, { cache })) return idle('its Job tracks it');
    return write('no Job tracks it any more: remove its tracking finalizer', dropFinalizers(pod, [names.key('batch', 'job-tracking')]));
  },
});
