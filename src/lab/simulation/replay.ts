/**
 * The cluster of a run at a step, for introspection where the trace alone does not contain the pending events. The scenario is run again up
 * to the step, and the run can continue from there.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Scenario } from '../scenario/index.ts';
import { stage, type SimulateOptions } from './simulate.ts';
import { accessors } from '../../engine/index.ts';

const withStep = accessors('step');

/** A paused run: its cluster at a step, and `goOn` to advance it. */
export interface Replay {
  readonly cluster: Cluster;
  /**
   * The last step that has happened. It may be later than the requested one, because the run can pause only between two events, and one
   * event may cause several steps.
   */
  readonly step: number;
  /** Advances to a later step; an earlier one has no effect. Returns whether the run continues after it. */
  goOn(step: number): boolean;
}

/** The options of a run that influence its events. */
export type ReplayOptions = Pick<SimulateOptions, 'with' | 'controllers' | 'alter' | 'choose' | 'chooser'>;

/** Runs a scenario up to a step of its trace (0: the start), and pauses there. */
export function replayTo(scenario: Scenario, seed: number, step: number, options: ReplayOptions = {}): Replay {
  const staged = stage(scenario, { ...options, seed });
  let ended = false;
  const goOn = (to: number): boolean => {
    staged.pauseAt(to);
    while (!ended && staged.entries() < to) ended = staged.passing.next().done === true;
    return !ended;
  };
  goOn(step);
  return withStep(
    { step: () => staged.entries() },
    {
      cluster: staged.cluster,
      goOn,
    },
  );
}
