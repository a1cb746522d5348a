/**
 * Waits by a clock that nobody sets. Go's timers, and instants that a program keeps for itself, run on monotonic time: when the wall clock
 * is set back they are neither late nor early. Only what stands in objects is compared with the wall clock.
 */
import type { Outcome } from './contract.ts';

interface Clocks {
  readonly now: number;
  readonly elapsed: number;
  readonly wall: number;
}

/**
 * A decision whose `now` is elapsed time, as are the instants that it remembers and its `wakeAt`; `wall` is the process's clock, for what it
 * writes into objects. Answers the hook of a controller.
 */
export function onElapsed<I extends Clocks, R extends [] | [unknown], O extends Outcome | undefined>(
  decide: (input: I, ...rest: R) => O,
): (input: I, ...rest: R) => O {
  // Two parameters, not a rest: a list for each decision of each pod would be made and thrown away.
  const decideOn = decide as never as (input: I, answer?: unknown) => O;
  const hook = (input: I, answer?: unknown): O => {
    const { wall, elapsed } = input;
    if (wall === elapsed) return decideOn(input, answer);
    const outcome = decideOn({ ...input, now: elapsed }, answer);
    return outcome?.wakeAt === undefined ? outcome : { ...outcome, wakeAt: outcome.wakeAt + wall - elapsed };
  };
  return hook;
}
