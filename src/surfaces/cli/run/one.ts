/** Makes one run with its sinks. Without sinks no entries are emitted, so that long runs need little memory. */
import { Subject } from 'rxjs';
import { simulate, type Run } from '../../../lab/simulation/index.ts';
import { redacted } from '../../../lab/trace/index.ts';
import { explain, type Explanation, type RunSummary } from '../../report/index.ts';
import { runSignals, type Signal, type SignalOptions, type Sink } from './sinks.ts';
import { endTuning } from './tuning.ts';
import { during, stopwatch, summaryOf, type Task } from './task.ts';

export interface Reported {
  readonly run: RunSummary;
  readonly explanations: readonly Explanation[];
  /** Milliseconds of real time. */
  readonly tookMs: number;
}

/** At most so many entries: a longer failed run is not repeated for its explanation. */
const EXPLAINED = 5_000_000;

/** Runs a task with its sinks, and explains its failures. */
export function runOne(task: Task, sinks: readonly Sink[], options: Pick<SignalOptions, 'trace' | 'changes' | 'requests'>): Reported {
  const { scenario, seed, plugins } = task;
  const elapsed = stopwatch();
  const run = during(task, () =>
    sinks.length === 0 ? simulate(scenario, { seed, with: plugins.definitions, onLongRun: endTuning }) : listen(task, sinks, options),
  );
  const tookMs = elapsed();
  return { run: summaryOf(run, task), tookMs, explanations: explanationsOf(run, task) };
}

function listen(
  { scenario, seed, plugins }: Task,
  sinks: readonly Sink[],
  options: Pick<SignalOptions, 'trace' | 'changes' | 'requests'>,
): Run {
  const signals = new Subject<Signal>();
  let done: Run | undefined;
  for (const sink of sinks) sink(signals);
  signals.subscribe((signal) => {
    if (signal.type === 'end') done = signal.run;
  });
  let failed: { readonly error: unknown } | undefined;
  runSignals(scenario, { seed, with: plugins.definitions, onLongRun: endTuning, ...options }).subscribe({
    next: (signal) => signals.next(signal),
    error: (error: unknown) => {
      failed = { error };
    },
  });
  if (failed !== undefined) throw failed.error;
  if (done === undefined) throw new Error('the run ended without a result');
  return done;
}

/** The same seed gives the same run, so a trace is made only when a failure needs it. */
function explanationsOf(run: Run, { scenario, seed, plugins }: Task): readonly Explanation[] {
  if (run.failures.length === 0) return [];
  const { commits, deliveries, reconciles } = run.counters;
  if (run.trace === undefined && commits + deliveries + reconciles > EXPLAINED) return [];
  const { trace, failures } = run.trace === undefined ? simulate(scenario, { seed, trace: true, with: plugins.definitions }) : run;
  if (trace === undefined) return [];
  const shown = redacted(trace);
  return failures.map((failure) => explain(shown, failure));
}
