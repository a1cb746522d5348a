/** Invariants of the pods of Jobs: how many, of which Job, and for which index. */
import { controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { bump } from '../../../schema/values/index.ts';
import { ofChanges } from '../invariant.ts';
import { indexOf, jobUidOf } from './reading.ts';
import { asJob, asPod, isActive, nameOf } from '../forms.ts';

/** The parallelism of a Job, and earlier values on which a decision in progress may be based. */
interface Allowance {
  value: number;
  readonly former: number[];
}

/**
 * A status is written last in a decision and only on the newest revision: when one has been written, no decision based on an older
 * parallelism is in progress. Until then the old values are valid, however late the controller observes the new one.
 */
function allow(allowed: Map<string, Allowance>, { type, previous, object }: Change): void {
  const job = asJob(object);
  if (job === undefined) return;
  const { uid } = job.metadata;
  const value = job.spec.parallelism ?? 1;
  const known = allowed.get(uid);
  if (type === 'DELETED') allowed.delete(uid);
  else if (known === undefined) allowed.set(uid, { value, former: [] });
  else if (known.value !== value) {
    known.former.push(known.value);
    known.value = value;
  } else if (known.former.length > 0 && asJob(previous)?.status !== job.status) known.former.length = 0;
}

function count(active: Map<string, number>, pod: Pod | undefined, by: number): void {
  const uid = pod === undefined || !isActive(pod) ? undefined : jobUidOf(pod);
  if (uid !== undefined) bump(active, uid, by);
}

export const jobActiveWithinParallelism = ofChanges(
  'job/active-within-parallelism',
  'A Job never has more active pods than its parallelism allows (or did, when the decision was made).',
  { kinds: ['Job', 'Pod'] },
  () => ({ active: new Map<string, number>(), allowed: new Map<string, Allowance>() }),
  (change, _facts, { active, allowed }) => {
    allow(allowed, change);
    const pod = asPod(change.object);
    count(active, asPod(change.previous), -1);
    if (change.type !== 'DELETED') count(active, pod, 1);
    const uid = change.type !== 'ADDED' || pod === undefined ? undefined : jobUidOf(pod);
    const allowance = allowed.get(uid ?? '');
    if (pod === undefined || uid === undefined || allowance === undefined) return undefined;
    const now = active.get(uid) ?? 0;
    const limit = Math.max(allowance.value, ...allowance.former);
    const name = storeKey(pod.metadata.namespace, controllerOf(pod)?.name ?? '');
    return now <= limit || `Job ${name} has ${now} active pods, its parallelism is ${limit}`;
  },
);

export const jobOnePodPerIndex = ofChanges(
  'job/one-pod-per-index',
  'An index of an Indexed Job has at most one active pod.',
  { kinds: ['Pod'] },
  /** Uids by index. */
  () => new Map<string, string>(),
  ({ type, object: pod }, { names }, active) => {
    const uid = jobUidOf(pod);
    const index = indexOf(pod, names);
    if (uid === undefined || index === undefined) return undefined;
    const at = `${uid}/${index}`;
    const other = active.get(at);
    if (type === 'DELETED' || !isActive(pod)) {
      if (other === pod.metadata.uid) active.delete(at);
      return undefined;
    }
    if (other !== undefined && other !== pod.metadata.uid)
      return `index ${index} of Job ${controllerOf(pod)?.name ?? ''} has two active pods, one of them ${pod.metadata.name}`;
    active.set(at, pod.metadata.uid);
    return true;
  },
);

/**
 * A decision made before a Job was deleted may still create a pod until the controller has observed the deletion; the garbage collector
 * deletes that pod. Milliseconds.
 */
const UNSEEN_MS = 60_000;

export const jobPodsAreOwned = ofChanges(
  'job/every-pod-owned',
  'A pod that is created with the labels of a Job is controlled by that Job, and the Job exists (or did within the last minute).',
  { kinds: ['Pod', 'Job'], about: (pod) => `pod ${nameOf(pod)} ` },
  /** When Jobs were deleted, by uid. */
  () => new Map<string, number>(),
  ({ type, kind, object }, facts, deletedAt) => {
    if (kind === 'Job' && type === 'DELETED') deletedAt.set(object.metadata.uid, facts.now);
    const pod = asPod(object);
    const { 'controller-uid': labelled, 'job-name': name } = pod?.metadata.labels ?? {};
    if (type !== 'ADDED' || pod === undefined || labelled === undefined || name === undefined) return undefined;
    if (jobUidOf(pod) !== labelled) return `has the labels of Job ${name}, but is not controlled by it`;
    const owner = facts.get('Job', storeKey(pod.metadata.namespace, controllerOf(pod)?.name ?? ''));
    const isGone = facts.now - (deletedAt.get(labelled) ?? -Infinity) > UNSEEN_MS;
    return owner?.metadata.uid === labelled || !isGone || 'was created for a Job that does not exist';
  },
);
