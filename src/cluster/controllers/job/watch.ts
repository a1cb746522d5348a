/** Which Job a change of a pod concerns, and how soon. Models: v1.24 pkg/controller/job addPod, updatePod, deletePod. */
import { controllerOf, keyOf, type ApiObject, type Job, type OwnerReference, type Pod } from '../../api/index.ts';
import { defineAggregate, type Delta, type Enqueue, type ObserveContext } from '../../runtime/index.ts';
import { labelMatcher } from '../../values/index.ts';
import { getBackoff } from './backoff.ts';
import { hasTrackingFinalizer } from './pods.ts';

/** With ready pods in the status, changes of pods are gathered for so long. */
const BATCH_MS = 1000;

/** Jobs whose selector is not made from their uid, by namespace: any pod may match them. */
export const manualJobs = defineAggregate<Job, Map<string, Job>>({
  name: 'Jobs with a selector of their own',
  kind: 'Job',
  groupOf: (job) => (job.spec.manualSelector === true ? (job.metadata.namespace ?? '') : undefined),
  empty: () => new Map(),
  add: (jobs, job) => { jobs.set(job.metadata.uid, job); },
  remove: (jobs, job) => { jobs.delete(job.metadata.uid); },
  plain: (jobs) => [...jobs.keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
});

/** The Job a reference stands for: the one of that name, if it still is that one. */
export function referencedJob(namespace: string | undefined, owner: OwnerReference | undefined, { cache }: Pick<ObserveContext, 'cache'>): Job | undefined {
  if (owner?.kind !== 'Job') return undefined;
  const job = cache.get('Job', namespace, owner.name);
  return job?.metadata.uid === owner.uid ? job : undefined;
}

export function jobsOfPod(delta: Delta<ApiObject>, context: ObserveContext): readonly Enqueue[] {
  const pod = delta.object as unknown as Pod;
  const old = delta.old as unknown as Pod | undefined;
  const { namespace } = pod.metadata;
  const soon = (job: Job): Enqueue => ({ key: keyOf(job), afterMs: context.gates['JobReadyPods'] === true ? BATCH_MS : 0 });
  const job = referencedJob(namespace, controllerOf(pod), context);

  const going = delta.type === 'DELETED' || pod.metadata.deletionTimestamp !== undefined;
  if (going) return job === undefined ? [] : [finalizerWentOff(old, pod, delta) ? keyOf(job) : soon(job)];
  // The only time the Job's back-off counts is when a pod failed.
  const inTime = (of: Job): Enqueue =>
    delta.type === 'MODIFIED' && pod.status.phase === 'Failed' ? { key: keyOf(of), afterMs: getBackoff(context.failures(keyOf(of))) } : finalizerWentOff(old, pod, delta) ? keyOf(of) : soon(of);

  const former = old === undefined || controllerOf(old)?.uid === controllerOf(pod)?.uid ? undefined : referencedJob(namespace, controllerOf(old), context);
  const concerned = former === undefined ? [] : [inTime(former)];
  if (job !== undefined) return [...concerned, inTime(job)];
  if (controllerOf(pod) !== undefined) return concerned;
  if (old !== undefined && former === undefined && old.metadata.labels === pod.metadata.labels) return concerned;
  return [...concerned, ...selectingJobs(pod, context).map(inTime)];
}

/** The next step of counting waits for nothing else. */
const finalizerWentOff = (old: Pod | undefined, pod: Pod, { type }: Delta): boolean => old !== undefined && hasTrackingFinalizer(old) && (type === 'DELETED' || !hasTrackingFinalizer(pod));

/** Jobs that may want to adopt a pod. */
function selectingJobs(pod: Pod, { cache }: ObserveContext): readonly Job[] {
  const { namespace, labels } = pod.metadata;
  const byUid = cache.by('Job', 'uid', labels?.['controller-uid'] ?? '').filter((job) => job.metadata.namespace === namespace && job.spec.manualSelector !== true);
  return [...byUid, ...cache.aggregate(manualJobs, namespace ?? '').values()].filter((job) => labelMatcher(job.spec.selector)(labels));
}
