/**
 * A run that can go back to any of its moments, and forward again, without running again. Only the build with the write barrier has it
 * (`src/moments.ts`). A user's own definitions are not behind the barrier, so a run with them cannot go back.
 */
import { beginHistory, hasWriteBarrier, type Moment } from '../engine/index.ts';
import type { Scenario } from './scenario/index.ts';
import { stage, type Replay, type Run, type SimulateOptions, type Staged } from './simulation/index.ts';

export type { Moment };

/** A run between two events. What its callbacks keep is not taken back. */
export interface MomentRun extends Omit<Staged, 'passing' | 'pauseAt' | 'end'> {
  /** Takes the next event; false: the run has ended. */
  advance(): boolean;
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
    finish() {
      for (;;) {
        const { done, value } = passing.next();
        if (done === true) return end(value);
      }
    },
    ...history,
  };
}

/** The number of events whose moments are kept. Each has 4 KB of writes. */
const MOST_MOMENTS = 20_000;

/** Returns the cluster of a run at a step: see `Replay`. Any step can be asked for; only one that is long past is run to again. */
export function replayMoments(scenario: Scenario, seed: number): (step: number) => Pick<Replay, 'cluster' | 'step'> {
  const begin = () => {
    const run = stageMoments(scenario, { seed });
    return { run, moments: [{ moment: run.here(), step: 0 }] };
  };
  let { run, moments } = begin();
  const goTo = (step: number): void => {
    run.enter();
    if (step < (moments[0]?.step ?? 0)) {
      run.leave();
      ({ run, moments } = begin());
    }
    const known = firstFrom(moments, step) ?? moments.at(-1);
    if (known !== undefined) run.go(known.moment);
    while (run.entries() < step && run.advance()) {
      moments.push({ moment: run.here(), step: run.entries() });
      if (moments.length <= MOST_MOMENTS) continue;
      moments = moments.slice(MOST_MOMENTS / 2);
      if (moments[0] !== undefined) run.forgetBefore(moments[0].moment);
    }
  };
  return (step) => {
    goTo(step);
    return { cluster: run.cluster, step: run.entries() };
  };
}

/** The first moment at or after a step. */
function firstFrom<M extends { readonly step: number }>(moments: readonly M[], step: number): M | undefined {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle]?.step ?? Infinity) < step) low = middle + 1;
    else high = middle;
  }
  return moments[low];
}
