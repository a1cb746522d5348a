/**
 * The number of pods to create or to delete now, and the pod that a Job creates. Models: v1.24 pkg/controller/job manageJob,
 * activePodsForRemoval, indexed_job_utils.go.
 */
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { deletePodOf, dropFinalizers, ensure, inDeletionOrder, createPodOf, perObject, podMetadata } from '../../shared/index.ts';
import { firstPendingIndexes, podGenerateNameWithIndex } from './indexes.ts';
import { isIndexed, isSuspended, type JobInput, type Observed } from './observe.ts';
import { hasTrackingFinalizer, completionIndexOf, type JobPods } from './pods.ts';
import type { Names, ObjectInput } from '../../../apiserver/machinery/index.ts';

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
    const tracking = [names.key('batch', 'job-tracking')];
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
    else ensure(byIndex, index, () => new Array<Pod>()).push(pod);
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
  const indexed = job.spec.completionMode === 'Indexed';
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
const commons = new WeakMap<Template, { readonly uid: string; readonly tracked: boolean; readonly pod: ObjectInput }>();

/** The pod without an index. */
function commonPod(job: Job, tracked: boolean, names: Names): ObjectInput {
  const { template } = job.spec;
  const { uid } = job.metadata;
  const known = commons.get(template);
  if (known !== undefined && known.uid === uid && known.tracked === tracked) return known.pod;
  const { finalizers = [] } = template.metadata;
  const tracking = names.key('batch', 'job-tracking');
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
