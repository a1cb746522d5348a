/**
 * The aggregate of a Job's pods, updated pod by pod: a sync reads this summary and the pods that changed, never those that finished long
 * ago. Models: the loops over pods of v1.24 pkg/controller/job syncJob, as incremental updates.
 */
import { namesFor } from '../../../apiserver/machinery/index.ts';
import { atoi, compareText, bump } from '../../../schema/values/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { defineAggregate } from '../../runtime/index.ts';
import { byController, createLabelCounts, type Intervals, OrdinalSet, recountLabels } from '../../shared/index.ts';
import { countIndexes } from './indexes.ts';

// A process uses one domain; reading the keys of both avoids a copy of every aggregate per domain.
const DOMAINS = [namesFor('k8s.io'), namesFor('orch.io')] as const;
const FINALIZERS: ReadonlySet<string> = new Set(DOMAINS.map((names) => names.key('batch', 'job-tracking')));
const INDEX_ANNOTATIONS: readonly string[] = DOMAINS.map((names) => names.key('batch', 'job-completion-index'));

export function hasTrackingFinalizer({ metadata: { finalizers } }: Pod): boolean {
  if (finalizers === undefined) return false;
  // Loops by index, here and below: they run several times for each change of a pod, and an iterator would be allocated each time.
  for (let at = 0; at < finalizers.length; at++) if (FINALIZERS.has(finalizers[at] ?? '')) return true;
  return false;
}

export function completionIndexOf(pod: Pod): number | undefined {
  const { annotations } = pod.metadata;
  if (annotations === undefined) return undefined;
  for (const key of INDEX_ANNOTATIONS) if (annotations[key] !== undefined) return parseCompletionIndex(annotations[key]);
  return undefined;
}

/** The index in an annotation's text; undefined: it is not an index. */
export function parseCompletionIndex(text: string): number | undefined {
  const index = atoi(text).value;
  return index === undefined || index < 0 ? undefined : index;
}

const isActive = (pod: Pod): boolean =>
  pod.metadata.deletionTimestamp === undefined && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed';
function isReady({ status: { conditions } }: Pod): boolean {
  if (conditions === undefined) return false;
  for (let at = 0; at < conditions.length; at++) if (conditions[at]?.type === 'Ready' && conditions[at]?.status === 'True') return true;
  return false;
}

/** Restarts of a pod that has not terminated. */
function restartsOf({ status }: Pod): number {
  if (status.phase !== 'Running' && status.phase !== 'Pending') return 0;
  return sumOfRestarts(status.initContainerStatuses) + sumOfRestarts(status.containerStatuses);
}

function sumOfRestarts(containers: Pod['status']['containerStatuses']): number {
  if (containers === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < containers.length; at++) sum += containers[at]?.restartCount ?? 0;
  return sum;
}

/**
 * Pods counted by completion index: how many, the set of indexes, and whether one repeats. A class, and without collections until it gets an
 * index: every Job has several, and most count pods without an index.
 */
class IndexTally {
  /** Pods without an index. */
  unknown = 0;
  #indexes: OrdinalSet | undefined;
  /** Pods beyond the first of an index. */
  #repeats: Map<number, number> | undefined;
  #repeated = 0;
  /** An upper bound of all indexes so far. */
  #bound = -1;

  add(index: number | undefined): void {
    if (index === undefined) {
      this.unknown++;
      return;
    }
    this.#bound = Math.max(this.#bound, index);
    if (!(this.#indexes ??= new OrdinalSet()).add(index)) this.#repeat(index, 1);
  }
  remove(index: number | undefined): void {
    if (index === undefined) this.unknown--;
    else if (this.#repeats?.has(index) === true) this.#repeat(index, -1);
    else this.#indexes?.delete(index);
  }
  /** Pods with an index below a bound. */
  podsBelow(completions: number): number {
    if (this.#indexes === undefined) return 0;
    if (this.#bound < completions) return this.#indexes.size + this.#repeated;
    let pods = countIndexes(this.intervalsBelow(completions));
    for (const [index, more] of this.#repeats ?? []) if (index < completions) pods += more;
    return pods;
  }
  /** The distinct indexes below a bound. */
  intervalsBelow(completions: number): Intervals {
    if (this.#indexes === undefined) return [];
    const all = this.#indexes.intervals();
    if (this.#bound < completions) return all;
    return all.filter(({ first }) => first < completions).map(({ first, last }) => ({ first, last: Math.min(last, completions - 1) }));
  }
  /** Whether each pod has its own index below the bound. */
  isClean(completions: number): boolean {
    return (
      this.unknown === 0 &&
      this.#repeated === 0 &&
      (this.#bound < completions || countIndexes(this.intervalsBelow(completions)) === this.#indexes?.size)
    );
  }
  plain(): unknown {
    return {
      unknown: this.unknown,
      intervals: this.#indexes?.intervals() ?? [],
      repeats: [...(this.#repeats ?? [])].sort(([a], [b]) => a - b),
    };
  }

  #repeat(index: number, by: 1 | -1): void {
    this.#repeated += by;
    bump((this.#repeats ??= new Map<number, number>()), index, by);
  }
}

export type JobPods = ReturnType<typeof emptyPods>;

export const emptyPods = () => ({
  /** By uid, oldest first. */
  active: new Map<string, Pod>(),
  activeIndexes: new IndexTally(),
  ready: 0,
  restarts: 0,
  succeeded: 0,
  failed: 0,
  succeededIndexes: new IndexTally(),
  failedIndexes: new IndexTally(),
  /** Pods with the tracking finalizer, by uid. */
  tracked: new Map<string, Pod>(),
  /** Those of them that have finished or are being deleted, in that order: to be counted. */
  toCount: new Map<string, Pod>(),
  toCountSucceeded: 0,
  /** Pods that failed, or are being deleted without having succeeded. */
  toCountFailed: 0,
  toCountSucceededIndexes: new IndexTally(),
  toCountFailedIndexes: new IndexTally(),
  labels: createLabelCounts(),
});

const tally = (of: IndexTally, index: number | undefined, by: 1 | -1): void => {
  if (by === 1) of.add(index);
  else of.remove(index);
};

function count(pods: JobPods, pod: Pod, by: 1 | -1): void {
  const index = completionIndexOf(pod);
  pods.restarts += by * restartsOf(pod);
  if (isActive(pod)) {
    tally(pods.activeIndexes, index, by);
    if (isReady(pod)) pods.ready += by;
    return;
  }
  const { phase } = pod.status;
  if (phase === 'Succeeded') {
    pods.succeeded += by;
    tally(pods.succeededIndexes, index, by);
  } else if (phase === 'Failed') {
    pods.failed += by;
    tally(pods.failedIndexes, index, by);
  }
  if (!hasTrackingFinalizer(pod)) return;
  if (phase === 'Succeeded') {
    pods.toCountSucceeded += by;
    tally(pods.toCountSucceededIndexes, index, by);
  } else {
    pods.toCountFailed += by;
    tally(pods.toCountFailedIndexes, index, by);
  }
}

function place(map: Map<string, Pod>, pod: Pod, belongs: boolean): void {
  if (belongs) map.set(pod.metadata.uid, pod);
  else map.delete(pod.metadata.uid);
}

function placeEverywhere(pods: JobPods, pod: Pod): void {
  const tracked = hasTrackingFinalizer(pod);
  const active = isActive(pod);
  place(pods.active, pod, active);
  place(pods.tracked, pod, tracked);
  place(pods.toCount, pod, tracked && !active);
}

const countsOtherwise = ({ status, metadata }: Pod, after: Pod): boolean =>
  status !== after.status ||
  metadata.deletionTimestamp !== after.metadata.deletionTimestamp ||
  metadata.finalizers !== after.metadata.finalizers ||
  metadata.annotations !== after.metadata.annotations;

export function addPod(pods: JobPods, pod: Pod): void {
  count(pods, pod, 1);
  placeEverywhere(pods, pod);
  pods.labels.count(pod.metadata.labels, 1);
}

export const jobPods = defineAggregate<'Pod', JobPods>({
  name: 'pods of a Job',
  kind: 'Pod',
  ...byController('Job'),
  empty: emptyPods,
  add: addPod,
  remove(pods, pod) {
    count(pods, pod, -1);
    const { uid } = pod.metadata;
    pods.active.delete(uid);
    pods.tracked.delete(uid);
    pods.toCount.delete(uid);
    pods.labels.count(pod.metadata.labels, -1);
  },
  change(pods, before, after) {
    if (before.metadata.uid !== after.metadata.uid) {
      this.remove(pods, before);
      this.add(pods, after);
      return;
    }
    if (countsOtherwise(before, after)) {
      count(pods, before, -1);
      count(pods, after, 1);
    }
    placeEverywhere(pods, after);
    recountLabels(pods.labels, before, after);
  },
  plain: ({ labels, ...pods }) => [
    labels.plain(),
    ...Object.values(pods).map((of: IndexTally | Map<string, Pod> | number) =>
      typeof of === 'number' ? of : of instanceof IndexTally ? of.plain() : [...of.keys()].sort(compareText),
    ),
  ],
});
