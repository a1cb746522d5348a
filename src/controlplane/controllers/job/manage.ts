/**
 * The number of pods to create or to delete now, and the order in which surplus ones are deleted. Models: v1.24 pkg/controller/job
 * manageJob, activePodsForRemoval, pkg/controller ActivePods.
 */
import type { Job, Pod } from '../../../apiserver/kinds/index.ts';
import type { Write } from '../../runtime/index.ts';
import { deletePodOf, dropFinalizers } from '../../shared/index.ts';
import { firstPendingIndexes } from './indexes.ts';
import { isIndexed, isSuspended, type JobInput } from './conditions.ts';
import type { Observed } from './observe.ts';
import { hasTrackingFinalizer, completionIndexOf, isReady, type JobPods } from './pods.ts';
import { createPod } from './template.ts';
import { parseTime } from '../../../schema/values/index.ts';

/** Upstream's MaxPodCreateDeletePerSync: larger Jobs take several syncs. */
const MOST_PER_SYNC = 500;

export interface Plan {
  readonly writes: readonly Write[];
  /** The number of active pods after the writes. */
  readonly active: number;
  readonly creates: number;
  readonly deletes: number;
}

/** Plans the creations and deletions of one sync. */
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

const PHASES: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

const readySince = (pod: Pod): number => {
  const since = pod.status.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True')?.lastTransitionTime;
  return since === undefined || since === null ? 0 : parseTime(since);
};
const mostRestarts = (pod: Pod): number =>
  (pod.status.containerStatuses ?? []).reduce((most, { restartCount }) => Math.max(most, restartCount), 0);

/** Earlier stages first: unscheduled, pending, not ready; then the most recently ready, the most restarted, the youngest. */
function byStage(a: Pod, b: Pod): number {
  const scheduled = Number((a.spec.nodeName ?? '') !== '') - Number((b.spec.nodeName ?? '') !== '');
  if (scheduled !== 0) return scheduled;
  const phase = (PHASES[a.status.phase] ?? 0) - (PHASES[b.status.phase] ?? 0);
  if (phase !== 0) return phase;
  const ready = Number(isReady(a)) - Number(isReady(b));
  if (ready !== 0) return ready;
  if (isReady(a)) {
    const later = readySince(b) - readySince(a);
    if (later !== 0) return later;
  }
  const restarts = mostRestarts(b) - mostRestarts(a);
  if (restarts !== 0) return restarts;
  return parseTime(b.metadata.creationTimestamp) - parseTime(a.metadata.creationTimestamp);
}

/** Pods without a valid index, and all but the most advanced pod of each index. */
function surplusOfIndexed(pods: Iterable<Pod>, completions: number): { readonly surplus: readonly Pod[]; readonly left: readonly Pod[] } {
  const byIndex = new Map<number, Pod[]>();
  const surplus: Pod[] = [];
  const left: Pod[] = [];
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index === undefined || index >= completions) {
      surplus.push(pod);
      continue;
    }
    const same = byIndex.get(index);
    if (same === undefined) byIndex.set(index, [pod]);
    else same.push(pod);
  }
  for (const same of byIndex.values()) {
    const keep = same.sort(byStage).pop();
    surplus.push(...same);
    if (keep !== undefined) left.push(keep);
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
  return [...surplus, ...left.toSorted(byStage).slice(0, atLeast - surplus.length)];
}
