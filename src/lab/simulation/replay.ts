/**
 * The cluster of a run as it was at a step: for looking inside, where the trace alone cannot say what was pending. It is made by running
 * the scenario again up to there, and can be gone on with: its operations and faults come as they came.
 */
import type { Cluster } from '../../controlplane/cluster.ts';
import type { Scenario } from '../scenario/index.ts';
import { stage, type SimulateOptions } from './simulate.ts';
import { accessors } from '../../engine/index.ts';

const withStep = accessors('step');

/** A run that has been stopped on its way: its cluster at a step, and `goOn` to move it further. */
export interface Replay {
  readonly cluster: Cluster;
  /**
   * The last step that has happened. It may lie behind the one that was asked for: what one event brings about comes together, and a
   * cluster can be looked into between two events only.
   */
  readonly step: number;
  /** Goes on to a later step; one that has passed, or lies behind the end, is no way. Answers whether the run has more to come. */
  goOn(step: number): boolean;
}

/** What of the options of a run decides what happens in it. */
export type ReplayOptions = Pick<SimulateOptions, 'with' | 'controllers' | 'alter' | 'choose' | 'chooser'>;

/** Runs a scenario up to a step of its trace (0: the start), and stops there. */
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
