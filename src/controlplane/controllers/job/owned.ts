/**
 * The pods of a Job: those that it controls and still selects, those that it can adopt, the number to create or to delete now, the pod that
 * it creates, and the Jobs that a change of a pod enqueues. And the controller that removes the tracking finalizer from pods whose Job is
 * gone or has finished, so that they can be deleted. Models: v1.24 pkg/controller PodControllerRefManager.ClaimPods; pkg/controller/job
 * addPod, updatePod, deletePod, manageJob, activePodsForRemoval, indexed_job_utils.go, syncOrphanPod and its queue.
 */
import { memo, perObject } from '../../../engine/index.ts';
import type { Pod, Job } from '../../../apiserver/kinds/index.ts';
import { controllerOf, keyOf, type ApiObject, type Names, type ObjectInput } from '../../../apiserver/machinery/index.ts';
import { type Delta, type Enqueue, type ObserveContext, type Write, defineController, idle, watch, write } from '../../runtime/index.ts';
import { keptIn, labelMatcher } from '../../../schema/values/index.ts';
import {
  claim,
  concernedOwners,
  createPodOf,
  deletePodOf,
  dropFinalizers,
  finishedCondition,
  inDeletionOrder,
  keptOwner,
  objectsByUid,
  podMetadata,
  podsToAdopt,
  referenced,
} from '../../shared/index.ts';
import { firstPendingIndexes, podGenerateNameWithIndex } from './indexes.ts';
import { getBackoff, isIndexed, isSuspended, JOB_BACKOFF, trackingKey, type JobInput, type Observed } from './observe.ts';
import { addPod, completionIndexOf, emptyPods, hasTrackingFinalizer, jobPods, type JobPods } from './pods.ts';

/** The Job's pods as they will be after the writes, which adopt and release. */
export function adoptPods(
  { self: job, cache, names }: JobInput,
  tracked: boolean,
): { readonly pods: JobPods; readonly writes: readonly Write[] } {
  const matches = labelMatcher(job.spec.selector);
  const managed = cache.aggregate(jobPods, job.metadata.uid);
  const orphans = podsToAdopt(job, cache, matches);
  if (orphans.length === 0 && managed.labels.allMatch(matches)) return { pods: managed, writes: [] };

  // A rare case: labels were edited, or an earlier Job left pods behind. All pods are counted once.
  const finalizers = tracked ? [trackingKey(names)] : [];
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
    return write('no Job tracks it any more: remove its tracking finalizer', dropFinalizers(pod, [trackingKey(names)]));
  },
});

/** Upstream's MaxPodCreateDeletePerSync: larger Jobs take several syncs. */
const MOST_PER_SYNC = 500;

export interface Plan {
  readonly writes: readonly Write[];
  /** The number of active pods after the writes. */
  readonly active: number;
  readonly creates: number;
  readonly deletes: number;
}

export function planPods(input: JobInput, observed: Observed): Plan {
  const { self: job, names } = input;
  const { active } = observed;
  const wanted = isSuspended(job) ? 0 : wantedActive(job, observed);
  const surplus = podsToRemove(job, observed.pods, Math.max(0, active - wanted));
  const toDelete = isSuspended(job) ? surplus : surplus.slice(0, MOST_PER_SYNC);
  if (toDelete.length > 0) {
    // The finalizer is removed first, because a surplus pod does not count as failed.
    const tracking = [trackingKey(names)];
    const writes = toDelete.flatMap((pod) =>
      hasTrackingFinalizer(pod) ? [dropFinalizers(pod, tracking), deletePodOf(job, pod)] : [deletePodOf(job, pod)],
    );
    return { writes, active: active - toDelete.length, creates: 0, deletes: toDelete.length };
  }
  const missing = Math.min(Math.max(0, wanted - active), MOST_PER_SYNC);
  if (missing === 0) return { writes: [], active, creates: 0, deletes: 0 };
  const writes = indexesFor(job, observed, missing).map((index) => createPod(job, index, observed.tracked, names));
  return { writes, active: active + writes.length, creates: writes.length, deletes: 0 };
}

function wantedActive(job: Job, { active, succeeded }: Observed): number {
  const { completions, parallelism = 1 } = job.spec;
  // The pods of a work queue know when the work is done: no pod is created after the first success.
  if (completions === undefined) return succeeded > 0 ? active : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

function indexesFor(job: Job, { completed, pods }: Observed, count: number): readonly (number | undefined)[] {
  if (!isIndexed(job)) return new Array<undefined>(count).fill(undefined);
  const completions = job.spec.completions ?? 0;
  return firstPendingIndexes(count, completed, pods.activeIndexes.intervalsBelow(completions), completions);
}

/** Pods without a valid index, and all but the most advanced pod of each index. */
function surplusOfIndexed(pods: Iterable<Pod>, completions: number): { readonly surplus: readonly Pod[]; readonly left: readonly Pod[] } {
  const byIndex = new Map<number, Pod[]>();
  const surplus: Pod[] = [];
  const left: Pod[] = [];
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index === undefined || index >= completions) surplus.push(pod);
    else keptIn(byIndex, index, () => new Array<Pod>()).push(pod);
  }
  for (const same of byIndex.values()) {
    const ordered = inDeletionOrder(same);
    surplus.push(...ordered.slice(0, -1));
    left.push(...ordered.slice(-1));
  }
  return { surplus, left };
}

/** At least so many active pods, and all that an Indexed Job cannot use. The pods are visited only if one must be deleted. */
function podsToRemove(job: Job, { active, activeIndexes }: JobPods, atLeast: number): readonly Pod[] {
  const completions = job.spec.completions ?? 0;
  const indexed = isIndexed(job);
  if (atLeast <= 0 && (!indexed || activeIndexes.isClean(completions))) return [];
  const { surplus, left } = indexed ? surplusOfIndexed(active.values(), completions) : { surplus: [], left: [...active.values()] };
  if (surplus.length >= atLeast) return surplus;
  return [...surplus, ...inDeletionOrder(left).slice(0, atLeast - surplus.length)];
}

type Template = Job['spec']['template'];
type PodSpec = NonNullable<Template['spec']>;
type PodContainer = PodSpec['containers'][number];

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX';

/** Built once per template, so that all pods of a Job share one spec. */
const indexedSpec = perObject((template: Template, annotation: string): PodSpec => {
  const variable = {
    name: INDEX_VARIABLE,
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${annotation}']` } },
  };
  const knowing = (container: PodContainer): PodContainer =>
    container.env?.some(({ name }) => name === INDEX_VARIABLE) === true
      ? container
      : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers } = template.spec;
  // With a placeholder for the individual name of each pod.
  return {
    ...template.spec,
    hostname: '',
    containers: template.spec.containers.map(knowing),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(knowing) }),
  };
});

/** The parts that all pods of a Job share, built once, because the server validates known parts only once. */
const commons = memo(new WeakMap<Template, { readonly uid: string; readonly tracked: boolean; readonly pod: ObjectInput }>());

function commonPod(job: Job, tracked: boolean, names: Names): ObjectInput {
  const { template } = job.spec;
  const { uid } = job.metadata;
  const known = commons.get(template);
  if (known !== undefined && known.uid === uid && known.tracked === tracked) return known.pod;
  const { finalizers = [] } = template.metadata;
  const tracking = trackingKey(names);
  const adds = tracked && !finalizers.includes(tracking);
  const metadata = podMetadata(job, template, adds ? { finalizers: Object.freeze([...finalizers, tracking]) } : {});
  const pod = Object.freeze({ kind: 'Pod', apiVersion: 'v1', metadata, spec: template.spec });
  commons.set(template, { uid, tracked, pod });
  return pod;
}

export function createPod(job: Job, index: number | undefined, tracked: boolean, names: Names): Write {
  const common = commonPod(job, tracked, names);
  if (index === undefined) return createPodOf(job, common);
  const { name } = job.metadata;
  const indexKey = names.key('batch', 'job-completion-index');
  const metadata = Object.freeze({
    ...common.metadata,
    generateName: podGenerateNameWithIndex(name, index),
    annotations: { ...common.metadata.annotations, [indexKey]: String(index) },
  });
  const spec = { ...indexedSpec(job.spec.template, indexKey), hostname: `${name}-${index}` };
  return createPodOf(job, Object.freeze({ kind: 'Pod', apiVersion: 'v1', metadata, spec }));
}
