/**
 * The pods of a Job: those that it controls and still selects, those that it can adopt, and the Jobs that a change of a pod enqueues. And the
 * controller that removes the tracking finalizer from pods whose Job is gone or has finished, so that they can be deleted. Models: v1.24
 * pkg/controller PodControllerRefManager.ClaimPods; pkg/controller/job addPod, updatePod, deletePod, syncOrphanPod and its queue.
 */
import type { Pod, Job } from '../../../apiserver/kinds/index.ts';
import { type Delta, type Enqueue, type ObserveContext, defineController, idle, watch, write } from '../../runtime/index.ts';
import { labelMatcher } from '../../../schema/values/index.ts';
import {
  claim,
  podsToAdopt,
  concernedOwners,
  keptOwner,
  objectsByUid,
  referenced,
  dropFinalizers,
  finishedCondition,
} from '../../shared/index.ts';
import { type JobInput, getBackoff, JOB_BACKOFF } from './observe.ts';
import { addPod, emptyPods, jobPods, hasTrackingFinalizer } from './pods.ts';
import { controllerOf, keyOf, type ApiObject } from '../../../apiserver/machinery/index.ts';

/** The Job's pods as they will be after the writes, which adopt and release. */
export function adoptPods({ self: job, cache, names }: JobInput, tracked: boolean) {
  const matches = labelMatcher(job.spec.selector);
  const managed = cache.aggregate(jobPods, job.metadata.uid);
  const orphans = podsToAdopt(job, cache, matches);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier Job left pods behind. All pods are counted once.
  const finalizers = tracked ? [names.key('batch', 'job-tracking')] : [];
  const belongs = ({ metadata }: Pod): boolean => matches(metadata.labels);
  const { kept, writes } = claim(job, cache.controlledBy('Pod', job), belongs, orphans, { finalizers });
  const pods = emptyPods();
  for (const pod of kept) addPod(pods, pod);
  for (const pod of orphans) addPod(pods, withFinalizers(pod, finalizers));
  return { pods, writes };
}

function withFinalizers(pod: Pod, more: readonly string[]): Pod {
  const own = pod.metadata.finalizers ?? [];
  const missing = more.filter((finalizer) => !own.includes(finalizer));
  return missing.length === 0 ? pod : { ...pod, metadata: { ...pod.metadata, finalizers: [...own, ...missing] } };
}

/** With ready pods in the status, changes of pods are batched for this long. */
const BATCH_MS = 1000;

/** Jobs with a manual selector, by namespace: any pod may match them. */
export const manualJobs = objectsByUid('Jobs with a selector of their own', 'Job', ({ metadata, spec }) =>
  spec.manualSelector === true ? (metadata.namespace ?? '') : undefined,
);

export function jobsOfPod(delta: Delta<'Pod'>, context: ObserveContext): readonly Enqueue[] | Enqueue | undefined {
  const { object: pod, old } = delta;
  if (delta.type === 'DELETED' || pod.metadata.deletionTimestamp !== undefined) {
    const job = referenced('Job', pod.metadata.namespace, controllerOf(pod), context);
    return job === undefined ? undefined : finalizerWentOff(old, pod, delta) ? keyOf(job) : soon(keyOf(job), context);
  }
  const kept = keptOwner('Job', delta, context);
  if (kept !== undefined) return inTime(kept, pod, delta, context);
  return concernedOwners('Job', delta, context, selectingJobs).map((job) => inTime(job, pod, delta, context));
}

const soon = (key: string, { gates }: ObserveContext): Enqueue => (gates['JobReadyPods'] === true ? { key, afterMs: BATCH_MS } : key);

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
    watch(
      'Pod',
      ({ object: pod, key, type }, context) => (type !== 'DELETED' && hasTrackingFinalizer(pod) && isLeft(pod, context) ? key : undefined),
      { predicate: { has: ['metadata.finalizers'] } },
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
