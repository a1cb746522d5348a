/** Takes pods from the queue by priority and decides on each. Models: v1.24 pkg/scheduler scheduler.go scheduleOne. */
import type { Outcome, Write } from '../../runtime/index.ts';
import type { RefusedAttempt } from './equivalence.ts';
import { NO_NODES, unavailable } from './messages.ts';
import { bind, evict, failedScheduling, notScheduled, clearNomination } from './outcomes.ts';
import type { Placed, Placement, Refused } from './placement.ts';
import type { QueuedPod } from './queue.ts';
import type { SchedulerState } from './state.ts';
import { planVolumes, timeoutOf, volumeWrites, waitFor } from './volumes/prebind.ts';

const places = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

function whyPlaced({ node, at, visited, feasible, scores }: Placed): string {
  if (scores === undefined) return `${node} is the only feasible node of ${places(visited, 'visited node')}`;
  return `${node} scores ${scores.totals[at] ?? 0}, best of ${places(feasible.length, 'feasible node')} (${visited} visited)`;
}

function placed(state: SchedulerState, { info }: QueuedPod, placement: Placed, now: number): Outcome {
  const { node } = placement;
  // The queue keeps the pod until it is observed on its node, so that a failed binding keeps its count of attempts.
  state.nominator.remove(info.uid);
  const plan = planVolumes(info, node, state.view);
  state.model.assume(info, node);
  if (plan === undefined) return { why: whyPlaced(placement), writes: [bind(info, node)] };
  state.view.volumes.reserve(info.uid, node, plan);
  const waiting = waitFor(info, node, plan, now, state.view);
  state.waiting.add(waiting);
  return {
    why: `${whyPlaced(placement)}; bind its claims first`,
    writes: volumeWrites(plan, node, state.view),
    wakeAt: timeoutOf(waiting),
    background: true,
  };
}

/** Returns an unschedulable pod to the queue, with an event. */
export function refuse(
  state: SchedulerState,
  pod: QueuedPod,
  now: number,
  how: {
    readonly reason: 'Unschedulable' | 'SchedulerError';
    readonly message: string;
    readonly refusedBy: readonly string[];
    readonly nominated?: string;
    readonly changed?: boolean;
    readonly before?: readonly Write[];
  },
): Outcome {
  state.queue.refuse(pod, how.refusedBy, now, how.changed);
  state.nominator.set(pod.info, how.nominated ?? pod.info.pod.status.nominatedNodeName ?? '');
  const condition = notScheduled(pod.info.pod, how.reason, how.message, how.nominated, now + state.aheadMs);
  const writes: Write[] = [
    ...(how.before ?? []),
    failedScheduling(pod.info.pod, how.message),
    ...(condition === undefined ? [] : [condition]),
  ];
  return withWake(state, pod, { why: `found no node: ${how.message}`, writes });
}

/** The outcome with the time at which the pod leaves its part of the queue by itself. */
export function withWake(state: SchedulerState, pod: QueuedPod | undefined, outcome: Outcome): Outcome {
  const wake = pod === undefined ? undefined : state.queue.wakeAt(pod);
  return wake === undefined ? outcome : { ...outcome, wakeAt: wake.at, background: wake.background };
}

/** Preempts for a pod that fits on no node; the pod is tried again when its victims are gone. */
function preemptFor(state: SchedulerState, pod: QueuedPod, placement: Refused, now: number): Outcome {
  const version = state.version();
  const preemption = state.preempt(pod.info, placement, now + state.aheadMs);
  const text = unavailable(state.model.nodes().length, placement.refused.values());
  const refused: RefusedAttempt = { placement, preemption, message: preemption.message === '' ? text : `${text} ${preemption.message}` };
  if (preemption.victims.length === 0) {
    state.equivalent.keep(pod.info, version, refused);
    return refuseAs(state, pod, refused, now);
  }
  const { victims, nominated = '' } = preemption;
  const before: Write[] = victims.map((victim) => evict(victim.pod, pod.info.pod, nominated));
  for (const other of state.nominator.on(nominated)) if (other.priority < pod.info.priority) before.push(clearNomination(other.pod));
  // The evictions are observed before the attempt ends, so for the queue the cluster has changed.
  const changed = victims.some((victim) => victim.pod.metadata.deletionTimestamp === undefined);
  return refuse(state, pod, now, {
    reason: 'Unschedulable',
    message: refused.message,
    refusedBy: placement.refusedBy,
    before,
    changed,
    nominated,
  });
}

const refuseAs = (state: SchedulerState, pod: QueuedPod, { placement, preemption, message }: RefusedAttempt, now: number): Outcome =>
  refuse(state, pod, now, {
    reason: 'Unschedulable',
    message,
    refusedBy: placement.refusedBy,
    ...(preemption.nominated === undefined ? {} : { nominated: preemption.nominated }),
  });

function act(state: SchedulerState, pod: QueuedPod, placement: Placement, now: number): Outcome {
  switch (placement.type) {
    case 'placed':
      return placed(state, pod, placement, now);
    case 'failed':
      return refuse(state, pod, now, { reason: 'Unschedulable', message: placement.message, refusedBy: [], nominated: '' });
    case 'refused':
      return state.model.nodes().length === 0
        ? refuse(state, pod, now, { reason: 'Unschedulable', message: NO_NODES, refusedBy: [], nominated: '' })
        : preemptFor(state, pod, placement, now);
    default: {
      const never: never = placement;
      return never;
    }
  }
}

function attempt(state: SchedulerState, pod: QueuedPod, now: number): Outcome {
  const { metadata } = pod.info.pod;
  if (metadata.deletionTimestamp !== undefined) {
    state.queue.remove(pod.key);
    return {
      why: 'it is being deleted',
      writes: [failedScheduling(pod.info.pod, `skip schedule deleting pod: ${metadata.namespace ?? 'default'}/${metadata.name}`)],
    };
  }
  const equivalent = state.equivalent.find(pod.info, state.version());
  if (equivalent !== undefined) {
    state.onAttempt?.(pod, equivalent.placement);
    return refuseAs(state, pod, equivalent, now);
  }
  const placement = state.place(pod.info);
  state.onAttempt?.(pod, placement);
  return act(state, pod, placement, now);
}

/**
 * The outcome for one pod. Pods of higher priority are decided first, so that they get the better nodes; their decisions are stored until
 * their keys are reconciled.
 */
export function decide(state: SchedulerState, key: string, now: number): Outcome {
  state.queue.tick(now);
  while (state.queue.get(key)?.place === 'active') {
    const pod = state.queue.pop();
    if (pod === undefined) break;
    state.decided.set(pod.key, { uid: pod.info.uid, outcome: attempt(state, pod, now) });
  }
  const decision = state.decided.get(key);
  state.decided.delete(key);
  if (decision !== undefined) return decision.outcome;
  const waiting = state.queue.get(key);
  return withWake(state, waiting, {
    why:
      waiting === undefined
        ? 'it has a node already'
        : waiting.place === 'backoff'
          ? 'it is in back-off'
          : 'it is unschedulable: waiting for a change that may help',
    writes: [],
  });
}
