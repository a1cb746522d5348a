/** One run as a task: what a worker thread is given, and what it answers. The same function does it in every thread. */
import type { Scenario } from '../../../lab/scenario/index.ts';
import { simulate } from '../../../lab/simulation/index.ts';
import { summarize, type RunSummary } from '../../report/index.ts';

export interface Task {
  readonly scenario: Scenario;
  readonly file: string;
  readonly seed: number;
}

/** Runs without keeping a trace, so that the size of a run costs no memory. */
export const perform = ({ scenario, file, seed }: Task): RunSummary => summarize(simulate(scenario, { seed }), file);
