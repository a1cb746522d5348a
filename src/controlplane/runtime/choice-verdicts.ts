/** Asks at the points of a run: before a decision whether it is made now, before a request what becomes of it. */
import type { Pending } from '../../engine/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { RequestVerdict } from './context.ts';
import type { RuntimeState, Control } from './runtime-state.ts';
import type { ClusterEvent } from './pending.ts';
import type { Running } from './process.ts';

/** Whether the decision about the key in a slot is made now. */
export function isDecidedNow(
  runtimeState: RuntimeState,
  control: Control,
  running: Running,
  keyId: number,
  pending: Pending<ClusterEvent>,
): boolean {
  const { points, held, context } = runtimeState;
  const { process, controller, queue } = running;
  const state = points === undefined || held.has(pending) ? undefined : queue.at(keyId);
  const verdict =
    state === undefined ? undefined : points?.decide({ process: process.spec.name, controller: controller.name, key: state.key });
  if (verdict === undefined) return true;
  if ('hold' in verdict) {
    held.add(pending);
    context.kernel.postpone(pending, context.kernel.now + verdict.hold);
    return false;
  }
  // It is not waiting any more: who dies takes back what is.
  queue.begin(keyId);
  control.crash(process, pending.causes);
  return false;
}

/** What a point or the faults that are about do to a request. `late`: it was asked about before. */
export function verdictOn(
  { points, context: { faults, kernel } }: RuntimeState,
  envelope: Envelope,
  late: boolean,
): RequestVerdict | undefined {
  const asked = late ? undefined : points?.write(envelope);
  // A request that is held up is asked about again when it goes on.
  if (asked?.delayMs !== undefined && asked.delayMs > 0) return asked;
  let verdict = asked;
  // Rules may lift themselves while they are asked.
  for (const rules of faults().slice()) verdict = together(verdict, rules.request?.(envelope, kernel.now));
  return verdict;
}

/**
 * What several rules do to one request, in no order: a refusal by any of them refuses it, and what is refused has no answer to lose; a
 * process that dies before it has not sent it; delays add up.
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
