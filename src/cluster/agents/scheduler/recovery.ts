/** What happens when one of the scheduler's writes fails. Models: v1.24 pkg/scheduler scheduler.go (bindingCycle failures, MakeDefaultErrorFunc). */
import type { Pod } from '../../api/index.ts';
import type { Failure, Outcome } from '../../runtime/index.ts';
import { refuse, withWake } from './attempt.ts';
import { failedScheduling } from './outcomes.ts';
import { podInfo } from './pod-info.ts';
import type { SchedulerState } from './state.ts';

function bindingFailed(state: SchedulerState, uid: string, self: Pod | undefined, error: string, now: number): Outcome {
  const assumed = state.model.placed(uid);
  // The watch may have shown meanwhile that the binding was made after all.
  if (assumed?.assumed !== true) return { why: 'it is bound, whatever the answer said', writes: [] };
  state.model.remove(uid);
  state.note(state.queue.move({ resource: 'Pod', action: 'delete' }, now));
  const message = `binding rejected: running Bind plugin "DefaultBinder": ${error}`;
  const pod = state.queue.get(assumed.info.key);
  if (pod?.info.uid !== uid || self?.metadata.uid !== uid || (self.spec.nodeName ?? '') !== '') return { why: `it is gone or bound by somebody else: ${message}`, writes: [failedScheduling(assumed.info.pod, message)] };
  pod.info = podInfo(self);
  return refuse(state, pod, now, { reason: 'SchedulerError', message, refusedBy: [], nominated: '', changed: true });
}

/** Goes on after a failed write: a binding is taken back, anything else is passed over. */
export function recover(state: SchedulerState, key: string, self: Pod | undefined, { write, status, dropped }: Failure, now: number): Outcome {
  const enqueue = (outcome: Outcome): Outcome => { const moved = state.takeMoved(now); return moved.length === 0 ? outcome : { ...outcome, enqueue: moved }; };
  if (write.op === 'post') return enqueue(bindingFailed(state, String(write.body.metadata.uid ?? ''), self, status.message ?? '', now));
  return withWake(state, state.queue.get(key), { why: `a write failed (${status.message ?? ''}); the rest goes on`, writes: dropped });
}
