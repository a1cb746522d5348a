/** The end of elided renewals: keys make real renewals again, one key or all of them, or while a clock is skewed. */
import type { ElidedLease } from './renewal-elision.ts';
import { touch, type Process } from './process.ts';
import type { RuntimeState } from './runtime-state.ts';

/** Continues elided renewals as real writes: each key wakes up when its next renewal is due. */
export function goOn(
  {
    processes,
    context: {
      kernel: { now },
    },
  }: RuntimeState,
  { process, controller, key }: ElidedLease,
  nextDecisionAt: number,
): void {
  const running = processes.get(process)?.running.get(controller);
  if (running === undefined) return;
  touch(running);
  const { queue } = running;
  const state = queue.open(key);
  state.elided = undefined;
  if (nextDecisionAt < now) state.decidedAt = nextDecisionAt;
  queue.wakeAt(state, nextDecisionAt, undefined, true);
}

function endElision(runtimeState: RuntimeState, name: string | undefined): void {
  runtimeState.context.renewalElision.stopAll(name, (elided, nextDecisionAt) => goOn(runtimeState, elided, nextDecisionAt));
}

/** Makes all leases renew with real writes until the returned function is called. */
export function forbidElision(runtimeState: RuntimeState): () => void {
  const lift = runtimeState.context.renewalElision.forbid();
  endElision(runtimeState, undefined);
  return lift;
}

/**
 * Skews a process's clock by so many milliseconds until the returned function is called. Of several skews the last one counts; when it
 * ends, the latest of the others counts again.
 */
export function addSkew(runtimeState: RuntimeState, process: Process | undefined, skewMs: number): () => void {
  if (process === undefined) return () => undefined;
  const { skews: all } = process;
  const own = { skewMs };
  all.push(own);
  setSkew(runtimeState, process, skewMs);
  return () => {
    const at = all.indexOf(own);
    if (at < 0) return;
    const counted = at === all.length - 1;
    all.splice(at, 1);
    if (counted) setSkew(runtimeState, process, all.at(-1)?.skewMs ?? 0);
  };
}

/** Sets the skew of a process's clock in milliseconds; 0: none. */
function setSkew(runtimeState: RuntimeState, process: Process, skewMs: number): void {
  const lift = runtimeState.skews.get(process);
  // A process that judges leases by a skewed clock must observe each renewal, so renewals are real meanwhile.
  const { renewalElision, kernel } = runtimeState.context;
  const judges = [...process.streams.values()].some(({ unseenRenewals, only }) => unseenRenewals && only === undefined);
  const renewal = judges && renewalElision.size > 0;
  if (!judges) endElision(runtimeState, process.spec.name);
  else if (skewMs !== 0 && lift === undefined) runtimeState.skews.set(process, forbidElision(runtimeState));
  if (renewal && skewMs !== 0) kernel.schedule(kernel.now, { type: 'skew', process: process.spec.name, skewMs });
  else process.skewMs = skewMs;
  if (skewMs === 0) {
    lift?.();
    runtimeState.skews.delete(process);
  }
}
