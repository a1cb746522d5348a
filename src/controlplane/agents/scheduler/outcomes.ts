/** Decisions as writes and events. Models: v1.24 pkg/scheduler scheduler.go (bind, handleSchedulingFailure), defaultbinder. */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { formatTime, compareText } from '../../../schema/values/index.ts';
import { mergePatch, type Write } from '../../runtime/index.ts';
import type { NodeRefusal } from './plugin.ts';

const namespaceOf = (pod: Pod): string => pod.metadata.namespace ?? 'default';

export const failedScheduling = (pod: Pod, message: string): Write => ({
  op: 'event',
  event: { about: pod, type: 'Warning', reason: 'FailedScheduling', message: asNote(message), action: 'Scheduling' },
});

/** With the uid the patch fails on a later pod with the same name. */
const patchStatus = (pod: Pod, status: object): Write =>
  mergePatch(
    pod,
    { metadata: { uid: pod.metadata.uid }, status },
    { patchType: 'strategic', subresource: 'status', tolerate: ['NotFound', 'Conflict', 'Invalid'] },
  );

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
  return patchStatus(pod, { conditions: [condition], ...(sameNode ? {} : { nominatedNodeName: nominated === '' ? null : nominated }) });
}

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

export const clearNomination = (pod: Pod): Write => patchStatus(pod, { nominatedNodeName: null });

/** The messages about unschedulable pods. Models: v1.24 pkg/scheduler/framework types FitError. */
export const NO_NODES = 'no nodes available to schedule pods';

/** Upstream's limit of an event's note, characters. */
const NOTE_LIMIT = 1024;

/** `0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu.` */
export function unavailable(nodes: number, refused: Iterable<NodeRefusal>): string {
  // Nodes share refusal objects, so these are counted first.
  const times = new Map<NodeRefusal, number>();
  for (const refusal of refused) times.set(refusal, (times.get(refusal) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [{ reasons }, count] of times) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + count);
  const texts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort(compareText);
  return `0/${nodes} nodes are available: ${texts.join(', ')}.`;
}

export const asNote = (message: string): string => (message.length < NOTE_LIMIT ? message : `${message.slice(0, NOTE_LIMIT - 4)} ...`);
