/** What must hold of Jobs. Counts are guaranteed only with finalizer tracking: without it the recorded controller counts the pods that exist, and deleting one lowers them. */
import { controllerOf, type ApiObject, type Job, type Names, type Pod } from '../../cluster/api/index.ts';
import type { Change } from '../../cluster/store/index.ts';
import type { Invariant, Violation } from './invariant.ts';

const asJob = (object: ApiObject | undefined): Job | undefined => (object?.kind === 'Job' ? (object as Job) : undefined);
const asPod = (object: ApiObject | undefined): Pod | undefined => (object?.kind === 'Pod' ? (object as Pod) : undefined);
const nameOf = ({ metadata }: ApiObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
const isTracked = (job: Job, names: Names): boolean => job.metadata.annotations?.[names.key('batch', 'job-tracking')] !== undefined;
const finishedBy = (job: Job): string | undefined => job.status.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')?.type;
const isActive = (pod: Pod | undefined): boolean => pod !== undefined && pod.metadata.deletionTimestamp === undefined && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed';
const jobUidOf = (pod: Pod): string | undefined => { const owner = controllerOf(pod); return owner?.kind === 'Job' ? owner.uid : undefined; };
const indexOf = (pod: Pod, names: Names): string | undefined => pod.metadata.annotations?.[names.key('batch', 'job-completion-index')];

/** A property of each two successive revisions of a Job; `step` answers undefined where nothing was at stake. */
const betweenRevisions = (name: string, description: string, step: (before: Job, after: Job, names: Names) => boolean | undefined | string): Invariant => ({
  name, description, temporal: 'always', kinds: ['Job'],
  check() {
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onChange({ type, previous, object }, { names }) {
        const before = asJob(previous);
        const after = asJob(object);
        if (type !== 'MODIFIED' || before === undefined || after === undefined) return undefined;
        const held = step(before, after, names);
        if (held === true) witnesses++;
        return typeof held === 'string' ? { message: `Job ${nameOf(after)}: ${held}`, object: after } : undefined;
      },
    };
  },
});

export const jobCountsNeverShrink = betweenRevisions('job/counts-never-shrink', 'With finalizer tracking, the succeeded and failed counts of a Job never go down.', (before, after, names) => {
  if (!isTracked(after, names)) return undefined;
  for (const count of ['succeeded', 'failed'] as const) {
    const was = before.status[count] ?? 0;
    const is = after.status[count] ?? 0;
    if (is < was) return `status.${count} went from ${was} down to ${is}`;
  }
  return before.status !== after.status ? true : undefined;
});

export const jobFinishedIsFinal = betweenRevisions('job/finished-is-final', 'A Job that is Complete or Failed stays so and starts nothing again.', (before, after) => {
  const was = finishedBy(before);
  if (was === undefined) return undefined;
  const is = finishedBy(after);
  if (is !== was) return `it was ${was} and is now ${is ?? 'unfinished'}`;
  if ((after.status.active ?? 0) > (before.status.active ?? 0)) return `it is ${was}, yet status.active rose to ${after.status.active ?? 0}`;
  return true;
});

/** The indexes of the text form, as intervals. */
const intervals = (text: string | undefined): readonly (readonly [number, number])[] =>
  (text ?? '').split(',').filter((part) => part !== '').map((part) => { const [first = 0, last = first] = part.split('-').map(Number); return [first, last] as const; });

/** Whether every interval of `inner` lies within one of `outer`; both are sorted. Adjacent outer intervals are joined first. */
const covers = (outer: readonly (readonly [number, number])[], inner: readonly (readonly [number, number])[]): boolean => {
  const joined: [number, number][] = [];
  for (const [first, last] of outer) {
    const previous = joined.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else joined.push([first, last]);
  }
  let at = 0;
  return inner.every(([first, last]) => {
    while ((joined[at]?.[1] ?? Infinity) < first) at++;
    const here = joined[at];
    return here !== undefined && here[0] <= first && last <= here[1];
  });
};

export const jobCompletedIndexesOnlyGrow = betweenRevisions('job/completed-indexes-only-grow', 'With finalizer tracking, an index once completed stays completed.', (before, after, names) => {
  if (!isTracked(after, names) || before.status.completedIndexes === after.status.completedIndexes) return undefined;
  return covers(intervals(after.status.completedIndexes), intervals(before.status.completedIndexes)) ? true : `completedIndexes went from ${before.status.completedIndexes ?? ''} to ${after.status.completedIndexes ?? ''}`;
});

/** A decision made before a change of parallelism was seen may still act: the old value counts for this long. */
const GRACE_MS = 10_000;

export const jobActiveWithinParallelism: Invariant = {
  name: 'job/active-within-parallelism',
  description: 'A Job never has more active pods than its parallelism allows (a value replaced within the last 10 s still counts).',
  temporal: 'always',
  kinds: ['Job', 'Pod'],
  check() {
    const active = new Map<string, number>();
    const limits = new Map<string, { readonly value: number; until: number }[]>();
    let witnesses = 0;
    const limitOf = (uid: string, now: number): number => Math.max(...(limits.get(uid) ?? []).filter(({ until }) => until >= now).map(({ value }) => value));
    const onJob = (change: Change, now: number): void => {
      const job = asJob(change.object);
      if (job === undefined) return;
      if (change.type === 'DELETED') { limits.delete(job.metadata.uid); active.delete(job.metadata.uid); return; }
      const value = job.spec.parallelism ?? 1;
      const known = (limits.get(job.metadata.uid) ?? []).filter(({ until }) => until >= now);
      if (known.at(-1)?.value === value) return;
      for (const old of known) old.until = Math.min(old.until, now + GRACE_MS);
      limits.set(job.metadata.uid, [...known, { value, until: Infinity }]);
    };
    const count = (pod: Pod | undefined, by: number): void => {
      const uid = pod === undefined || !isActive(pod) ? undefined : jobUidOf(pod);
      if (uid !== undefined) active.set(uid, (active.get(uid) ?? 0) + by);
    };
    return {
      get witnesses() { return witnesses; },
      onChange(change, facts): Violation | undefined {
        if (change.kind === 'Job') { onJob(change, facts.now); return undefined; }
        const pod = asPod(change.object);
        count(asPod(change.previous), -1);
        if (change.type !== 'DELETED') count(pod, 1);
        if (change.type !== 'ADDED' || pod === undefined) return undefined;
        const uid = jobUidOf(pod);
        if (uid === undefined || !limits.has(uid)) return undefined;
        const now = active.get(uid) ?? 0;
        const limit = limitOf(uid, facts.now);
        if (now > limit) return { message: `Job ${pod.metadata.namespace ?? ''}/${controllerOf(pod)?.name ?? ''} has ${now} active pods, its parallelism is ${limit}`, object: pod };
        witnesses++;
        return undefined;
      },
    };
  },
};

export const jobOnePodPerIndex: Invariant = {
  name: 'job/one-pod-per-index',
  description: 'An index of an Indexed Job has at most one active pod.',
  temporal: 'always',
  kinds: ['Pod'],
  check() {
    const active = new Map<string, string>();
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onChange({ type, object }, { names }): Violation | undefined {
        const pod = asPod(object);
        const uid = pod === undefined ? undefined : jobUidOf(pod);
        const index = pod === undefined ? undefined : indexOf(pod, names);
        if (pod === undefined || uid === undefined || index === undefined) return undefined;
        const at = `${uid}/${index}`;
        if (type === 'DELETED' || !isActive(pod)) { if (active.get(at) === pod.metadata.uid) active.delete(at); return undefined; }
        const other = active.get(at);
        if (other !== undefined && other !== pod.metadata.uid) return { message: `index ${index} of Job ${controllerOf(pod)?.name ?? ''} has two active pods, one of them ${pod.metadata.name}`, object: pod };
        active.set(at, pod.metadata.uid);
        witnesses++;
        return undefined;
      },
    };
  },
};

export const jobPodsAreOwned: Invariant = {
  name: 'job/every-pod-owned',
  description: 'A pod that is created with the labels of a Job is managed by that Job, and the Job exists.',
  temporal: 'always',
  kinds: ['Pod', 'Job'],
  check() {
    const deletedAt = new Map<string, number>();
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onChange({ type, kind, object }, facts): Violation | undefined {
        if (kind === 'Job') { if (type === 'DELETED') deletedAt.set(object.metadata.uid, facts.now); return undefined; }
        const pod = asPod(object);
        const labelled = pod?.metadata.labels?.['controller-uid'];
        if (type !== 'ADDED' || pod === undefined || labelled === undefined || pod.metadata.labels?.['job-name'] === undefined) return undefined;
        if (jobUidOf(pod) !== labelled) return { message: `pod ${nameOf(pod)} has the labels of Job ${pod.metadata.labels['job-name']}, but is not managed by it`, object: pod };
        const owner = facts.get('Job', `${pod.metadata.namespace ?? ''}/${controllerOf(pod)?.name ?? ''}`);
        const goneSince = deletedAt.get(labelled);
        // A decision in flight when its Job vanished may still make a pod; the garbage collector takes it.
        if (owner?.metadata.uid !== labelled && (goneSince === undefined || facts.now - goneSince > GRACE_MS)) return { message: `pod ${nameOf(pod)} was made for a Job that does not exist`, object: pod };
        witnesses++;
        return undefined;
      },
    };
  },
};

export const jobStatusTellsTheTruth: Invariant = {
  name: 'job/status-tells-the-truth',
  description: 'When everything has settled, an unfinished Job\'s status.active is the number of its active pods, and a finished Job has none.',
  temporal: 'stable',
  kinds: ['Job'],
  check() {
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onEnd(facts, settled): Violation | undefined {
        if (!settled) return undefined;
        for (const object of facts.list('Job')) {
          const job = asJob(object);
          if (job === undefined || job.metadata.deletionTimestamp !== undefined) continue;
          let active = 0;
          for (const pod of facts.by('Pod', 'controllerUid', job.metadata.uid)) if (isActive(asPod(pod))) active++;
          const said = finishedBy(job) === undefined ? job.status.active ?? 0 : 0;
          if (active !== said) return { message: `Job ${nameOf(job)} ${finishedBy(job) === undefined ? `says ${said} active` : `is ${finishedBy(job) ?? ''}`}, but ${active} of its pods are active`, object: job };
          witnesses++;
        }
        return undefined;
      },
    };
  },
};

export const jobNeverStuck: Invariant = {
  name: 'job/never-stuck',
  description: 'When everything has settled, a Job that is neither finished, suspended nor at parallelism 0 has an active pod.',
  temporal: 'stable',
  kinds: ['Job'],
  check() {
    let witnesses = 0;
    return {
      get witnesses() { return witnesses; },
      onEnd(facts, settled): Violation | undefined {
        if (!settled) return undefined;
        for (const object of facts.list('Job')) {
          const job = asJob(object);
          if (job === undefined || job.metadata.deletionTimestamp !== undefined || job.spec.suspend === true || job.spec.parallelism === 0) continue;
          if (finishedBy(job) === undefined && !facts.by('Pod', 'controllerUid', job.metadata.uid).some((pod) => isActive(asPod(pod)))) return { message: `Job ${nameOf(job)} is unfinished, has no active pod, and nothing will happen any more`, object: job };
          witnesses++;
        }
        return undefined;
      },
    };
  },
};

/** All of them. */
export const jobInvariants: readonly Invariant[] = [jobCountsNeverShrink, jobFinishedIsFinal, jobActiveWithinParallelism, jobCompletedIndexesOnlyGrow, jobOnePodPerIndex, jobPodsAreOwned, jobStatusTellsTheTruth, jobNeverStuck];
