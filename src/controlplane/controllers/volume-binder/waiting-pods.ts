/**
 * Unscheduled pods, by the claims that they mount: a claim that waits for its first consumer names them in its event. Models: v1.24
 * pkg/controller/volume/persistentvolume findNonScheduledPodsByPVC.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Delta } from '../../runtime/index.ts';
import { claimsOf } from '../../shared/index.ts';

/** Names of pods by the key of a claim. */
export type WaitingPods = Map<string, Set<string>>;

const waits = (pod: Pod | undefined): readonly string[] => {
  if (
    pod?.spec.volumes === undefined ||
    pod.spec.nodeName !== undefined ||
    pod.status.phase === 'Succeeded' ||
    pod.status.phase === 'Failed'
  )
    return [];
  return claimsOf(pod);
};

/** Updates the waiting pods with one delta. */
export function followPods(waiting: WaitingPods, { type, object, old }: Delta<'Pod'>): void {
  const { name } = object.metadata;
  for (const claim of waits(old ?? (type === 'DELETED' ? object : undefined))) {
    const pods = waiting.get(claim);
    if (pods?.delete(name) === true && pods.size === 0) waiting.delete(claim);
  }
  if (type !== 'DELETED') for (const claim of waits(object)) waiting.set(claim, (waiting.get(claim) ?? new Set()).add(name));
}

/** Reason and message of the event of a waiting claim. */
export function waitingFor(pods: ReadonlySet<string> | undefined): { readonly reason: string; readonly message: string } {
  const [first, ...others] = [...(pods ?? [])];
  if (first === undefined) return { reason: 'WaitForFirstConsumer', message: 'waiting for first consumer to be created before binding' };
  return {
    reason: 'WaitForPodScheduled',
    message:
      others.length === 0 ? `waiting for pod ${first} to be scheduled` : `waiting for pods ${[first, ...others].join(',')} to be scheduled`,
  };
}
