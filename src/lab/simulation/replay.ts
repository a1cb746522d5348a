/**
 * The cluster of a run at a step, for introspection where the trace alone does not contain the pending events. The scenario is run again up
 * to the step, and the run can continue from there.
 */
import type { Scenario } from '../scenario/index.ts';
import { stage, type SimulateOptions } from './simulate.ts';

/** A paused run: its cluster at a step, and `goOn` to advance it. */
export type Replay = ReturnType<typeof replayTo>;

/** The options of a run that influence its events. */
export type ReplayOptions = Pick<SimulateOptions, 'with' | 'controllers' | 'alter' | 'choose' | 'chooser'>;

/** Runs a scenario up to a step of its trace (0: the start), and pauses there. */
export function replayTo(scenario: Scenario, seed: number, step: number, options: ReplayOptions = {}) {
  const staged = stage(scenario, { ...options, seed });
  const run = { ended: false };
  /** Advances to a later step; an earlier one has no effect. Returns whether the run continues after it. */
  const goOn = (to: number): boolean => {
    staged.pauseAt(to);
    while (!run.ended && staged.entries() < to) run.ended = staged.passing.next().done === true;
    return !run.ended;
  };
  goOn(step);
  return {
    cluster: staged.cluster,
    /**
     * The last step that has happened. It may be later than the requested one, because the run can pause only between two events, and one
     * event may cause several steps.
     */
    get step(): number {
      return staged.entries();
    },
    goOn,
  };
}
