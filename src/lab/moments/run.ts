/**
 * A run that can go back to any of its moments, and forward again, without running again. Only the build with the write barrier has it
 * (`src/moments.ts`). A user's own definitions are not behind the barrier, so a run with them cannot go back.
 */
import { beginHistory, hasWriteBarrier, type Moment } from '../../engine/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { stage, type Run, type SimulateOptions, type Staged } from '../simulation/index.ts';

export type { Moment };

/** A run between two events. What its callbacks keep is not taken back. */
export interface MomentRun extends Omit<Staged, 'passing' | 'pauseAt' | 'end'> {
  /** Takes the next event; false: the run has ended. */
  advance(): boolean;
  /** See `Passing`: a run that goes on as another scenario is the former one again at the moments before. */
  continueAs(next: Scenario): boolean;
  /** Runs to the end. The result shares lists with the run, which change when it goes elsewhere. */
  finish(): Run;
  here(): Moment;
  /** Goes to a moment; the run continues from there as it did before, or differently if its choices differ. */
  go(to: Moment): void;
  /** Forgets what led to a moment; nothing before it can be gone to. */
  forgetBefore(moment: Moment): void;
  /** Call before using the run after another one: writes are noted for one run at a time. */
  enter(): void;
  /** Notes nothing more. */
  leave(): void;
}

/**
 * Sets up a run whose first moment is before its first event.
 *
 * @throws in a build without the write barrier, and for a user's definitions.
 */
export function stageMoments(scenario: Scenario, options: Omit<SimulateOptions, 'with'> = {}): MomentRun {
  if (!hasWriteBarrier) throw new Error('moments need the build with the write barrier');
  const { passing, pauseAt, end, ...staged } = stage(scenario, { ...options, tries: false });
  pauseAt(0);
  const history = beginHistory();
  history.enter();
  return {
    ...staged,
    advance: () => passing.next().done !== true,
    continueAs: (next) => passing.continueAs(next),
    finish() {
      for (;;) {
        const { done, value } = passing.next();
        if (done === true) return end(value);
      }
    },
    ...history,
  };
}
