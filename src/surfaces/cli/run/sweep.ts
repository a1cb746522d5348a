/**
 * Every scenario under every seed, on any number of threads. No traces are kept: a seed that fails is named with the command that replays
 * it.
 */
import { availableParallelism } from 'node:os';
import { tap } from 'rxjs';
import { count, mergeSweep, sweepLines, type RunSummary } from '../../report/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { performAll } from './pool.ts';
import { progressOn } from './progress.ts';
import type { Task } from './task.ts';
import { exitCodeOf } from './verdict.ts';

export interface SweepOptions {
  readonly seeds: readonly number[];
  /** Default: one a processor, if there is enough to do. */
  readonly jobs?: number;
  readonly json: boolean;
}

/** A thread takes as long to start as some tens of small runs. */
const WORTH_THREADS = 40;

export async function runSweep(chosen: readonly LoadedScenario[], { seeds, jobs: given, json }: SweepOptions, io: Io): Promise<number> {
  const tasks: readonly Task[] = chosen.flatMap((loaded) => seeds.map((seed) => ({ ...loaded, seed })));
  const jobs = given ?? (tasks.length < WORTH_THREADS ? 1 : availableParallelism());
  const summaries: RunSummary[] = Array.from({ length: tasks.length });
  const progress = progressOn(io);
  let done = 0;
  let failed = 0;
  await performAll(tasks, jobs)
    .pipe(
      tap(({ summary }) => {
        done++;
        if (summary.verdict !== 'held') failed++;
        progress.show(`${done} of ${count(tasks.length, 'run')}${failed === 0 ? '' : `, ${failed} failed`}`);
      }),
    )
    .forEach(({ index, summary }) => {
      summaries[index] = summary;
    });
  progress.clear();

  const code = exitCodeOf(summaries.map(({ verdict }) => verdict));
  const sweeps = chosen
    .map((_, at) => mergeSweep(summaries.slice(at * seeds.length, (at + 1) * seeds.length)))
    .filter((sweep) => sweep !== undefined);
  if (json) io.out(`${JSON.stringify({ exitCode: code, sweeps }, null, 2)}\n`);
  else for (const sweep of sweeps) io.out(`${sweepLines(sweep, io.palette).join('\n')}\n`);
  return code;
}
