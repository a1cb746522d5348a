/**
 * Waits by a monotonic clock. Go's timers, and instants that a program keeps for itself, use monotonic time: when the wall clock is set
 * back they are neither late nor early. Only the times in objects are compared with the wall clock.
 */
import type { Outcome } from './contract.ts';

interface Clocks {
  readonly now: number;
  readonly elapsed: number;
  readonly wall: number;
}

/**
 * Wraps the hook of a controller so that its `now` is elapsed time, as are the instants that it remembers and its `wakeAt`; `wall` is the
 * process's wall clock, for times written into objects.
 */
export function onElapsed<I extends Clocks, R extends [] | [unknown], O extends Outcome | undefined>(
  decide: (input: I, ...rest: R) => O,
): (input: I, ...rest: R) => O {
  // Two parameters instead of a rest parameter, which would allocate a list for each decision.
  const decideOn = decide as never as (input: I, answer?: unknown) => O;
  const hook = (input: I, answer?: unknown): O => {
    const { wall, elapsed } = input;
    if (wall === elapsed) return decideOn(input, answer);
    const outcome = decideOn({ ...input, now: elapsed }, answer);
    return outcome?.wakeAt === undefined ? outcome : { ...outcome, wakeAt: outcome.wakeAt + wall - elapsed };
  };
  return hook;
}
