/** One run as a task: what a worker thread is given, and what it answers. The same function does it in every thread. */
import type { Scenario } from '../../../lab/scenario/index.ts';
import { simulate } from '../../../lab/simulation/index.ts';
import type { Own } from '../../own/index.ts';
import { summarize, type RunSummary } from '../../report/index.ts';

export interface Task {
  readonly scenario: Scenario;
  readonly file: string;
  readonly seed: number;
  readonly flags?: string;
  readonly own: Own;
}

/** Says which run it was when an assumption breaks inside one. */
export function during<T>({ scenario, file, seed }: Task, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`in ${scenario.name} (${file}, seed ${seed}): ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Runs without keeping a trace, so that the size of a run costs no memory. */
export const perform = (task: Task): RunSummary =>
  during(task, () => summarize(simulate(task.scenario, { seed: task.seed, with: task.own.definitions }), task.file, task.flags));
