/** Invariants of the pods of Jobs: how many, of which Job, and for which index. */
import { controllerOf, storeKey } from '../../../apiserver/machinery/index.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { type Invariant, type Violation, checking } from '../invariant.ts';
import { indexOf, isActive, jobUidOf } from './reading.ts';
import { asJob, asPod, nameOf } from '../forms.ts';

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

export const jobActiveWithinParallelism: Invariant = {
  name: 'job/active-within-parallelism',
  description: 'A Job never has more active pods than its parallelism allows (or did, when the decision was made).',
  temporal: 'always',
  kinds: ['Job', 'Pod'],
  check: checking((exercised) => {
    const active = new Map<string, number>();
    const allowed = new Map<string, Allowance>();
    const count = (pod: Pod | undefined, by: number): void => {
      const uid = pod === undefined || !isActive(pod) ? undefined : jobUidOf(pod);
      if (uid === undefined) return;
      const now = (active.get(uid) ?? 0) + by;
      if (now === 0) active.delete(uid);
      else active.set(uid, now);
    };
    return {
      describe: () => [active, allowed],
      onChange(change): Violation | undefined {
        if (change.kind === 'Job') {
          allow(allowed, change);
          return undefined;
        }
        const pod = asPod(change.object);
        count(asPod(change.previous), -1);
        if (change.type !== 'DELETED') count(pod, 1);
        if (change.type !== 'ADDED' || pod === undefined) return undefined;
        const uid = jobUidOf(pod);
        const allowance = uid === undefined ? undefined : allowed.get(uid);
        if (uid === undefined || allowance === undefined) return undefined;
        const now = active.get(uid) ?? 0;
        const limit = Math.max(allowance.value, ...allowance.former);
        if (now > limit)
          return {
            message: `Job ${storeKey(pod.metadata.namespace, controllerOf(pod)?.name ?? '')} has ${now} active pods, its parallelism is ${limit}`,
            object: pod,
          };
        return exercised();
      },
    };
  }),
};

export const jobOnePodPerIndex: Invariant = {
  name: 'job/one-pod-per-index',
  description: 'An index of an Indexed Job has at most one active pod.',
  temporal: 'always',
  kinds: ['Pod'],
  check: checking((exercised) => {
    const active = new Map<string, string>();
    return {
      describe: () => active,
      onChange({ type, object }, { names }): Violation | undefined {
        const pod = asPod(object);
        const uid = pod === undefined ? undefined : jobUidOf(pod);
        const index = pod === undefined ? undefined : indexOf(pod, names);
        if (pod === undefined || uid === undefined || index === undefined) return undefined;
        const at = `${uid}/${index}`;
        if (type === 'DELETED' || !isActive(pod)) {
          if (active.get(at) === pod.metadata.uid) active.delete(at);
          return undefined;
        }
        const other = active.get(at);
        if (other !== undefined && other !== pod.metadata.uid)
          return {
            message: `index ${index} of Job ${controllerOf(pod)?.name ?? ''} has two active pods, one of them ${pod.metadata.name}`,
            object: pod,
          };
        active.set(at, pod.metadata.uid);
        return exercised();
      },
    };
  }),
};

/**
 * A decision made before a Job was deleted may still create a pod until the controller has observed the deletion; the garbage collector
 * deletes that pod. Milliseconds.
 */
const UNSEEN_MS = 60_000;

export const jobPodsAreOwned: Invariant = {
  name: 'job/every-pod-owned',
  description:
    'A pod that is created with the labels of a Job is controlled by that Job, and the Job exists (or did within the last minute).',
  temporal: 'always',
  kinds: ['Pod', 'Job'],
  check: checking((exercised) => {
    const deletedAt = new Map<string, number>();
    return {
      describe: () => deletedAt,
      onChange({ type, kind, object }, facts): Violation | undefined {
        if (kind === 'Job') {
          if (type === 'DELETED') deletedAt.set(object.metadata.uid, facts.now);
          return undefined;
        }
        const pod = asPod(object);
        const labelled = pod?.metadata.labels?.['controller-uid'];
        if (type !== 'ADDED' || pod === undefined || labelled === undefined || pod.metadata.labels?.['job-name'] === undefined)
          return undefined;
        if (jobUidOf(pod) !== labelled)
          return {
            message: `pod ${nameOf(pod)} has the labels of Job ${pod.metadata.labels['job-name']}, but is not controlled by it`,
            object: pod,
          };
        const owner = facts.get('Job', storeKey(pod.metadata.namespace, controllerOf(pod)?.name ?? ''));
        const goneSince = deletedAt.get(labelled);
        if (owner?.metadata.uid !== labelled && (goneSince === undefined || facts.now - goneSince > UNSEEN_MS))
          return { message: `pod ${nameOf(pod)} was created for a Job that does not exist`, object: pod };
        return exercised();
      },
    };
  }),
};
