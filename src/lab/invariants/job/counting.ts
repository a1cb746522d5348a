/**
 * Invariants of the counts of Jobs. Counts are guaranteed only with finalizer tracking: without it the recorded controller counts existing
 * pods, and deleting one lowers the counts.
 */
import type { Job } from '../../../apiserver/kinds/index.ts';
import { type Invariant, ofChanges } from '../invariant.ts';
import { betweenRevisions, covers, finishedBy, intervalsOf, isHeld, isTracked } from './reading.ts';
import { asJob, asPod, isDying, nameOf } from '../forms.ts';

const COUNTS = ['succeeded', 'failed'] as const;

const fallen = (before: Job, after: Job, counts: readonly (typeof COUNTS)[number][]): string | undefined => {
  for (const count of counts) {
    const was = before.status[count] ?? 0;
    const is = after.status[count] ?? 0;
    if (is < was) return `status.${count} went from ${was} down to ${is}`;
  }
  return undefined;
};

export const jobCountsNeverShrink = betweenRevisions(
  'job/counts-never-shrink',
  'With finalizer tracking, the succeeded and failed counts of a Job never decrease.',
  (before, after, names) =>
    isTracked(after, names) && before.status !== after.status ? (fallen(before, after, COUNTS) ?? true) : undefined,
);

export const jobNoSuccessIsLost: Invariant = {
  ...betweenRevisions(
    'job/no-success-is-lost',
    'A success that a Job has counted stays counted, however its pods are tracked.',
    (before, after) => (before.status !== after.status ? (fallen(before, after, ['succeeded']) ?? true) : undefined),
  ),
  onRequest: 'without finalizer tracking a Job counts the pods that exist, so deleting a finished one lowers the count',
};

export const jobCompletedIndexesOnlyGrow = betweenRevisions(
  'job/completed-indexes-only-grow',
  'With finalizer tracking, a completed index stays completed.',
  ({ status: before }, { status: after, ...job }, names) => {
    if (!isTracked({ status: after, ...job }, names) || before.completedIndexes === after.completedIndexes) return undefined;
    if (covers(intervalsOf(after.completedIndexes), intervalsOf(before.completedIndexes))) return true;
    return `completedIndexes went from ${before.completedIndexes ?? ''} to ${after.completedIndexes ?? 'none'}`;
  },
);

/** Returns a sentence where the completion rule of the Job's mode is not met. */
function unmet({ spec: { completionMode, completions }, status: { succeeded = 0, completedIndexes } }: Job): string | undefined {
  if (completions === undefined) return succeeded > 0 ? undefined : 'a work queue is Complete without one success';
  if (completionMode !== 'Indexed')
    return succeeded >= completions ? undefined : `it is Complete with ${succeeded} of ${completions} successes`;
  return completions === 0 || covers(intervalsOf(completedIndexes), [[0, completions - 1]])
    ? undefined
    : `it is Complete with the indexes ${completedIndexes ?? 'none'} of ${completions}`;
}

export const jobCompleteMeansDone = betweenRevisions(
  'job/complete-means-done',
  'A Job becomes Complete only when the completion rule of its mode is met.',
  (before, after) => (finishedBy(before) === undefined && finishedBy(after) === 'Complete' ? (unmet(after) ?? true) : undefined),
);

/** Returns the uids in one list that are not in the other. */
const leftOf = (before: readonly string[] = [], after: readonly string[] = []): readonly string[] => {
  const still = new Set(after);
  return before.filter((uid) => !still.has(uid));
};

/** Returns what is wrong with the change from one status to the next; `held`: the uids of pods with the finalizer. */
function miscounted(before: Job, after: Job, held: ReadonlySet<string>): string | undefined {
  const { uncountedTerminatedPods: was = {} } = before.status;
  const { uncountedTerminatedPods: is = {} } = after.status;
  for (const count of COUNTS) {
    const left = leftOf(was[count], is[count]);
    const early = left.find((uid) => held.has(uid));
    if (early !== undefined) return `pod ${early} was counted as ${count} while it still has the finalizer, so it may be counted again`;
    const late = leftOf(is[count], was[count]).find((uid) => !held.has(uid));
    if (late !== undefined)
      return `pod ${late} is to be counted as ${count}, but has no finalizer any more: it was counted before, or its pod does not exist`;
    // An Indexed Job counts its successes by index, not by pod.
    if (count === 'succeeded' && after.spec.completionMode === 'Indexed') continue;
    const grown = (after.status[count] ?? 0) - (before.status[count] ?? 0);
    if (grown !== left.length) return `status.${count} grew by ${grown} while ${left.length} pods left the list of uncounted pods`;
  }
  return undefined;
}

export const jobPodsCountedOnce = ofChanges(
  'job/pods-counted-once',
  'With finalizer tracking, a pod is listed as uncounted while it has its finalizer, and counted when it leaves the list without it: exactly once.',
  { kinds: ['Job', 'Pod'], about: (job) => `Job ${nameOf(job)}: ` },
  /** Uids of pods with the finalizer; there are at most as many as active and uncounted pods. */
  () => new Set<string>(),
  ({ type, object, previous }, { names }, held) => {
    const pod = asPod(object);
    if (pod !== undefined && type !== 'DELETED' && isHeld(pod, names)) held.add(object.metadata.uid);
    else held.delete(object.metadata.uid);
    const [before, after] = [asJob(previous), asJob(object)];
    if (type !== 'MODIFIED' || before === undefined || after === undefined || before.status === after.status) return undefined;
    // While a Job is being deleted, the garbage collector may remove finalizers too.
    if (!isTracked(after, names) || isDying(after)) return undefined;
    return miscounted(before, after, held) ?? before.status.uncountedTerminatedPods !== undefined;
  },
);
