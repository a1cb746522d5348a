/**
 * Takes pods from the queue by priority and decides on each; what to do when a write of the scheduler fails. Models: v1.24 pkg/scheduler
 * scheduler.go scheduleOne, scheduler.go (bindingCycle failures, MakeDefaultErrorFunc).
 */
import { plural } from '../../../schema/values/index.ts';
import type { Outcome, Write, Failure } from '../../runtime/index.ts';
import { NO_NODES, unavailable, evict, failedScheduling, notScheduled, clearNomination } from './outcomes.ts';
import type { Placed, Placement, Refused } from './placement.ts';
import type { QueuedPod } from './queue.ts';
import type { RefusedAttempt, SchedulerState } from './state.ts';
import { planVolumes, timeoutOf, volumeWrites, waitFor, nextPoll, progress } from './volumes/prebind.ts';
import type { WaitingForVolumes } from './volumes/assumed-volumes.ts';
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { podInfo, type PodInfo } from './node-info.ts';

function whyPlaced({ node, at, visited, feasible, scores, isStated }: Placed): string {
  if (isStated === true) return `${node} is stated for the next of these pods, and it is feasible`;
  if (scores === undefined) return `${node} is the only feasible node of ${plural(visited, 'visited node')}`;
  return `${node} scores ${scores[at] ?? 0}, best of ${plural(feasible.length, 'feasible node')} (${visited} visited)`;
}

function bind({ pod }: PodInfo, node: string): Write {
  const { name, namespace = 'default', uid } = pod.metadata;
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

function placed(state: SchedulerState, { info }: QueuedPod, placement: Placed, now: number): Outcome {
  const { node } = placement;
  // The queue keeps the pod until it is observed on its node, so that a failed binding keeps its count of attempts.
  state.nominator.remove(info.uid);
  const plan = (info.pod.spec.volumes ?? []).length === 0 ? undefined : planVolumes(info, node, state);
  state.model.put(info, node, true);
  if (plan === undefined) return { why: whyPlaced(placement), writes: [bind(info, node)] };
  const waiting = waitFor(info, node, plan, now, state);
  state.volumes.reserve(waiting);
  return {
    why: `${whyPlaced(placement)}; bind its claims first`,
    writes: volumeWrites(plan, node, state),
    wakeAt: timeoutOf(waiting),
    background: true,
  };
}

function refuse(
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
function withWake(state: SchedulerState, pod: QueuedPod | undefined, outcome: Outcome): Outcome {
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
  let waiting = state.queue.get(key);
  while (waiting?.place === 'active') {
    const pod = state.queue.pop();
    if (pod === undefined) break;
    const outcome = attempt(state, pod, now);
    if (pod === waiting) {
      if (state.decided.size > 0) state.decided.delete(key);
      return outcome;
    }
    state.decided.set(pod.key, { uid: pod.info.uid, outcome });
    waiting = state.queue.get(key);
  }
  const decision = state.decided.size === 0 ? undefined : state.decided.get(key);
  if (decision !== undefined) {
    state.decided.delete(key);
    return decision.outcome;
  }
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

/** Reverts a placement that failed; the pod goes to back-off. */
function takeBack(state: SchedulerState, uid: string, self: Pod | undefined, message: string, now: number): Outcome {
  const assumed = state.model.placed(uid);
  // The watch may have shown meanwhile that the binding succeeded.
  if (assumed?.assumed !== true) return { why: 'it is bound, although the request failed', writes: [] };
  const { info } = assumed;
  state.model.remove(uid);
  state.settle(uid, info.key);
  state.note(state.queue.move({ resource: 'Pod', action: 'delete' }, now));
  const pod = state.queue.get(info.key);
  if (pod?.info.uid !== uid || self?.metadata.uid !== uid || (self.spec.nodeName ?? '') !== '')
    return { why: `it is gone or bound already: ${message}`, writes: [failedScheduling(info.pod, message)] };
  pod.info = podInfo(self);
  return refuse(state, pod, now, { reason: 'SchedulerError', message, refusedBy: [], nominated: '', changed: true });
}

function withMoved(state: SchedulerState, outcome: Outcome, now: number): Outcome {
  const moved = state.takeMoved(now);
  return moved.length === 0 ? outcome : { ...outcome, enqueue: moved };
}

/** Continues after a failed write: a placement is reverted, other failures are ignored. */
export function recover(
  state: SchedulerState,
  key: string,
  self: Pod | undefined,
  { write, status, dropped }: Failure,
  now: number,
): Outcome {
  const error = status.message ?? '';
  if (write.op === 'post')
    return withMoved(
      state,
      takeBack(state, write.body.metadata.uid ?? '', self, `binding rejected: running Bind plugin "DefaultBinder": ${error}`, now),
      now,
    );
  const waiting = state.volumes.waiting.get(key);
  if (waiting !== undefined && write.op === 'patch' && write.kind !== 'Pod')
    return withMoved(state, takeBack(state, waiting.info.uid, self, prebindFailed(error), now), now);
  return withWake(state, state.queue.get(key), { why: `a write failed (${error}); the other writes are made`, writes: dropped });
}

const prebindFailed = (error: string): string => `running PreBind plugin "VolumeBinding": binding volumes: ${error}`;

export function lookAtVolumes(state: SchedulerState, waiting: WaitingForVolumes, self: Pod, now: number): Outcome {
  const { info, node } = waiting;
  const timeout = { wakeAt: timeoutOf(waiting), background: true };
  if (now < nextPoll(waiting, waiting.since)) return { why: 'its claims are being bound', writes: [], ...timeout };
  const how = progress(waiting, now, state);
  if (how === 'waiting') return { why: 'its claims are not bound yet', writes: [], ...timeout };
  if (how !== 'bound') return withMoved(state, takeBack(state, info.uid, self, prebindFailed(how.error), now), now);
  state.volumes.bound(waiting);
  return { why: `its claims are bound: bind it to ${node}`, writes: [bind(info, node)] };
}
