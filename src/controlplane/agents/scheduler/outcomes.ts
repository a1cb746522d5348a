/** Decisions as writes and events. Models: v1.24 pkg/scheduler scheduler.go (bind, handleSchedulingFailure), defaultbinder. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { formatTime } from '../../../schema/values/index.ts';
import type { EventText, Write } from '../../runtime/index.ts';
import { asNote } from './messages.ts';
import type { PodInfo } from './pod-info.ts';

const namespaceOf = (pod: Pod): string => pod.metadata.namespace ?? 'default';

/** Binds a pod to a node. */
export function bind({ pod }: PodInfo, node: string): Write {
  const { name, uid } = pod.metadata;
  const namespace = namespaceOf(pod);
  return {
    op: 'post',
    kind: 'Pod',
    namespace,
    name,
    subresource: 'binding',
    body: { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target: { kind: 'Node', name: node } },
    then: {
      about: pod,
      type: 'Normal',
      reason: 'Scheduled',
      message: `Successfully assigned ${namespace}/${name} to ${node}`,
      action: 'Binding',
    },
  };
}

/** The event of a failed attempt. */
export const failedScheduling = (pod: Pod, message: string): Write => {
  const event: EventText = { about: pod, type: 'Warning', reason: 'FailedScheduling', message: asNote(message), action: 'Scheduling' };
  return { op: 'event', event };
};

/** The condition of an unschedulable pod and its nominated node; undefined: no change. */
export function notScheduled(
  pod: Pod,
  reason: 'Unschedulable' | 'SchedulerError',
  message: string,
  nominated: string | undefined,
  now: number,
): Write | undefined {
  const before = pod.status.conditions?.find(({ type }) => type === 'PodScheduled');
  const sameCondition = before?.status === 'False' && before.reason === reason && before.message === message;
  const sameNode = nominated === undefined || nominated === (pod.status.nominatedNodeName ?? '');
  if (sameCondition && sameNode) return undefined;
  const lastTransitionTime = before?.status === 'False' ? before.lastTransitionTime : formatTime(now);
  const condition = { type: 'PodScheduled', status: 'False', lastProbeTime: null, lastTransitionTime, reason, message };
  return {
    op: 'patch',
    kind: 'Pod',
    namespace: namespaceOf(pod),
    name: pod.metadata.name,
    subresource: 'status',
    patchType: 'strategic',
    // With the uid the patch fails on a later pod with the same name.
    patch: {
      metadata: { uid: pod.metadata.uid },
      status: { conditions: [condition], ...(sameNode ? {} : { nominatedNodeName: nominated === '' ? null : nominated }) },
    },
    tolerate: ['NotFound', 'Conflict', 'Invalid'],
  };
}

/** Evicts a pod in favour of another, with an event. */
export function evict(victim: Pod, favoured: Pod, node: string): Write {
  const { name, uid } = victim.metadata;
  return {
    op: 'delete',
    kind: 'Pod',
    namespace: namespaceOf(victim),
    name,
    uid,
    tolerate: ['NotFound', 'Conflict'],
    then: {
      about: victim,
      type: 'Normal',
      reason: 'Preempted',
      message: `Preempted by ${namespaceOf(favoured)}/${favoured.metadata.name} on node ${node}`,
      action: 'Preempting',
    },
  };
}

/** Removes the nomination of a pod. */
export const clearNomination = (pod: Pod): Write => ({
  op: 'patch',
  kind: 'Pod',
  namespace: namespaceOf(pod),
  name: pod.metadata.name,
  subresource: 'status',
  patchType: 'strategic',
  patch: { metadata: { uid: pod.metadata.uid }, status: { nominatedNodeName: null } },
  tolerate: ['NotFound', 'Conflict', 'Invalid'],
});
