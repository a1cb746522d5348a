/** Calls the strategy at choice points: whether a decision is made now, and what happens to a request. */
import type { Pending } from '../../engine/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { FaultRules, RequestVerdict } from './context.ts';
import type { RuntimeState, Control } from './runtime-state.ts';
import type { ClusterEvent } from './pending.ts';
import type { Running } from './process.ts';

/** Whether the decision about a key is made now; false: it is postponed, or its process crashed. */
export function isDecidedNow(
  runtimeState: RuntimeState,
  control: Control,
  running: Running,
  keyId: number,
  pending: Pending<ClusterEvent>,
): boolean {
  const { points, held, context } = runtimeState;
  const { process, controller, queue } = running;
  const state = points === undefined || held.delete(pending) ? undefined : queue.at(keyId);
  const verdict =
    state === undefined ? undefined : points?.decide({ process: process.spec.name, controller: controller.name, key: state.key });
  if (verdict === undefined) return true;
  if ('hold' in verdict) {
    held.add(pending);
    context.kernel.postpone(pending, context.kernel.now + verdict.hold);
    return false;
  }
  // The key leaves the queue first, because a crash cancels all that is still waiting.
  queue.begin(keyId);
  control.crash(process, pending.causes);
  return false;
}

/** What the strategy and the active faults do to a request. `late`: the request was delayed at its choice point before. */
export function verdictOn(
  { points, context: { faults, kernel } }: RuntimeState,
  envelope: Envelope,
  late: boolean,
): RequestVerdict | undefined {
  const chosen = late ? undefined : points?.write(envelope);
  // The fault rules apply to a delayed request when it continues.
  if (chosen?.delayMs !== undefined && chosen.delayMs > 0) return chosen;
  return faults().length === 0 ? chosen : verdictOfRules(faults(), envelope, kernel.now, chosen);
}

/** What fault rules do to a request, in addition to `chosen`. */
export function verdictOfRules(
  faults: readonly FaultRules[],
  envelope: Envelope,
  now: number,
  chosen?: RequestVerdict,
): RequestVerdict | undefined {
  let verdict = chosen;
  // A copy, because rules may remove themselves when they are called.
  for (const rules of faults.slice()) verdict = together(verdict, rules.request?.(envelope, now));
  return verdict;
}

/**
 * Combines the verdicts of two rules on one request, in any order: a refusal by either refuses it, a refused request has no response to
 * lose, a process that crashes before the request has not sent it, and delays add up.
 */
function together(one: RequestVerdict | undefined, other: RequestVerdict | undefined): RequestVerdict | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const crash = one.crash === 'before' || other.crash === 'before' ? 'before' : (one.crash ?? other.crash);
  const fail = one.fail ?? other.fail;
  const delayMs = (one.delayMs ?? 0) + (other.delayMs ?? 0);
  return {
    ...(fail === undefined ? {} : { fail }),
    ...(one.loseResponse === true || other.loseResponse === true ? { loseResponse: true } : {}),
    ...(delayMs === 0 ? {} : { delayMs }),
    ...(crash === undefined ? {} : { crash }),
  };
}
