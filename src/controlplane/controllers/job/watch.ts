/** The Job that a change of a pod enqueues, and after which delay. Models: v1.24 pkg/controller/job addPod, updatePod, deletePod. */
import { controllerOf, keyOf, type ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import { defineAggregate, type Delta, type Enqueue, type ObserveContext } from '../../runtime/index.ts';
import { labelMatcher, compareText } from '../../../schema/values/index.ts';
import { concernedOwners, referenced } from '../../shared/index.ts';
import { getBackoff } from './backoff.ts';
import { hasTrackingFinalizer } from './pods.ts';

/** With ready pods in the status, changes of pods are batched for this long. */
const BATCH_MS = 1000;

/** Jobs with a manual selector, by namespace: any pod may match them. */
export const manualJobs = defineAggregate<'Job', Map<string, Job>>({
  name: 'Jobs with a selector of their own',
  kind: 'Job',
  groupOf: (job) => (job.spec.manualSelector === true ? (job.metadata.namespace ?? '') : undefined),
  empty: () => new Map(),
  add: (jobs, job) => {
    jobs.set(job.metadata.uid, job);
  },
  remove: (jobs, job) => {
    jobs.delete(job.metadata.uid);
  },
  plain: (jobs) => [...jobs.keys()].sort(compareText),
});

export function jobsOfPod(delta: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] | Enqueue | undefined {
  const { object: pod, old } = delta;
  if (delta.type === 'DELETED' || pod.metadata.deletionTimestamp !== undefined) {
    const job = referenced('Job', pod.metadata.namespace, controllerOf(pod), context);
    return job === undefined ? undefined : finalizerWentOff(old, pod, delta) ? keyOf(job) : soon(keyOf(job), context);
  }
  return concernedOwners('Job', delta, context, selectingJobs).map((job) => inTime(job, pod, delta, context));
}

const soon = (key: string, { gates }: ObserveContext): Enqueue => ({ key, afterMs: gates['JobReadyPods'] === true ? BATCH_MS : 0 });

/** The Job's back-off applies only when a pod failed. */
function inTime(job: Job, pod: Pod, delta: Delta<'Pod'>, context: ObserveContext): Enqueue {
  const key = keyOf(job);
  if (delta.type === 'MODIFIED' && pod.status.phase === 'Failed') return { key, afterMs: getBackoff(context.failures(key)) };
  return finalizerWentOff(delta.old, pod, delta) ? key : soon(key, context);
}

/** The next step of counting needs no further event. */
const finalizerWentOff = (old: Pod | undefined, pod: Pod, { type }: Delta<'Pod'>): boolean =>
  old !== undefined &&
  (type === 'DELETED' || old.metadata.finalizers !== pod.metadata.finalizers) &&
  hasTrackingFinalizer(old) &&
  (type === 'DELETED' || !hasTrackingFinalizer(pod));

/** Jobs that may adopt a pod. */
function selectingJobs({ metadata: { namespace, labels } }: ApiObject, { cache }: ObserveContext): readonly Job[] {
  const byUid = cache
    .by('Job', 'uid', labels?.['controller-uid'] ?? '')
    .filter((job) => job.metadata.namespace === namespace && job.spec.manualSelector !== true);
  return [...byUid, ...cache.aggregate(manualJobs, namespace ?? '').values()].filter((job) => labelMatcher(job.spec.selector)(labels));
}
