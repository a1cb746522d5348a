/**
 * A run that can go back to any of its moments, and forward again, without running again. Only the build with the write barrier has it
 * (`src/moments.ts`). A user's own definitions are not behind the barrier, so a run with them cannot go back.
 */
import { beginHistory, hasWriteBarrier, type Moment } from '../engine/index.ts';
import { bisect } from '../schema/values/index.ts';
import type { Scenario } from './scenario/index.ts';
import { stage, type Replay, type Run, type SimulateOptions, type Staged } from './simulation/index.ts';

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

/** The number of events whose moments are kept. Each has 3 KB of writes. */
const MOST_MOMENTS = 60_000;

/** A run that can be asked for any of its steps, and continued from there as another one. */
export interface Replays {
  /** Returns the cluster of the run at a step: see `Replay`. Only a step that is long past is run to again. */
  at(step: number): Pick<Replay, 'cluster' | 'step'>;
  /**
   * Runs another scenario whose steps are the same up to a moment, from there on: the result is that of the whole run. undefined: it cannot
   * go on there, because a step that takes its time is under way, or the moment is forgotten. The lists of the result change with the next call.
   */
  continueAs(next: Scenario, since: { readonly at: number; readonly revision?: number }): Run | undefined;
}

interface Kept {
  readonly moment: Moment;
  readonly step: number;
  readonly at: number;
  readonly revision: number;
}

/** Returns the replays of a run. */
export function replayMoments(scenario: Scenario, seed: number, options: Pick<SimulateOptions, 'trace'> = {}): Replays {
  const keep = (run: MomentRun): Kept => ({
    moment: run.here(),
    step: run.entries(),
    at: run.cluster.now,
    revision: run.cluster.store.revision,
  });
  const begin = () => {
    const run = stageMoments(scenario, { ...options, seed });
    return { run, moments: [keep(run)] };
  };
  let { run, moments } = begin();
  /** Goes to a moment that is known, or to the last one. */
  const enter = (known: Kept | undefined): void => {
    run.enter();
    const last = known ?? moments.at(-1);
    if (last !== undefined) run.go(last.moment);
  };
  const advance = (): boolean => {
    if (!run.advance()) return false;
    moments.push(keep(run));
    if (moments.length <= MOST_MOMENTS) return true;
    moments = moments.slice(MOST_MOMENTS / 2);
    if (moments[0] !== undefined) run.forgetBefore(moments[0].moment);
    return true;
  };
  const restart = (): void => {
    run.leave();
    ({ run, moments } = begin());
  };
  return {
    at(step) {
      if (step < (moments[0]?.step ?? 0)) restart();
      enter(moments[bisect(moments, (kept) => kept.step < step)]);
      while (run.entries() < step && advance());
      return { cluster: run.cluster, step: run.entries() };
    },
    continueAs(next, { at, revision = Infinity }) {
      const isBefore = (kept: Kept): boolean => kept.at <= at && kept.revision < revision;
      // What is forgotten is not noted again for this: the whole run takes less.
      if (moments[0] === undefined || !isBefore(moments[0])) return undefined;
      enter(undefined);
      while (isBefore(moments.at(-1) ?? moments[0]) && advance());
      for (let place = bisect(moments, isBefore) - 1; place >= 0; place--) {
        enter(moments[place]);
        if (run.continueAs(next)) return run.finish();
      }
      return undefined;
    },
  };
}
