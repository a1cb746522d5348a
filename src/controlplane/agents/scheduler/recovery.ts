/** Recovery when a write of the scheduler fails. Models: v1.24 pkg/scheduler scheduler.go (bindingCycle failures, MakeDefaultErrorFunc). */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import type { Failure, Outcome } from '../../runtime/index.ts';
import { refuse, withWake } from './attempt.ts';
import { bind, failedScheduling } from './outcomes.ts';
import { podInfo } from './pod-info.ts';
import type { SchedulerState } from './state.ts';
import { nextPoll, progress, timeoutOf, type WaitingForVolumes } from './volumes/prebind.ts';

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

/** The outcome, with the keys of the pods that it moved. */
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
  const waiting = state.waiting.get(key);
  if (waiting !== undefined && write.op === 'patch' && write.kind !== 'Pod')
    return withMoved(state, takeBack(state, waiting.info.uid, self, prebindFailed(error), now), now);
  return withWake(state, state.queue.get(key), { why: `a write failed (${error}); the other writes are made`, writes: dropped });
}

const prebindFailed = (error: string): string => `running PreBind plugin "VolumeBinding": binding volumes: ${error}`;

/** A pod that waits for its claims is bound when they are. */
export function lookAtVolumes(state: SchedulerState, waiting: WaitingForVolumes, self: Pod, now: number): Outcome {
  const { info, node } = waiting;
  const timeout = { wakeAt: timeoutOf(waiting), background: true };
  if (now < nextPoll(waiting, waiting.since)) return { why: 'its claims are being bound', writes: [], ...timeout };
  const how = progress(waiting, now, state.view);
  if (how === 'waiting') return { why: 'its claims are not bound yet', writes: [], ...timeout };
  if (how !== 'bound') return withMoved(state, takeBack(state, info.uid, self, prebindFailed(how.error), now), now);
  state.waiting.remove(info.key);
  return { why: `its claims are bound: bind it to ${node}`, writes: [bind(info, node)] };
}
