/** Makes one run with its sinks. Without sinks no entries are emitted, so that long runs need little memory. */
import type { Change } from '../../../apiserver/store/index.ts';
import type { AnsweredRequest } from '../../../controlplane/cluster-options.ts';
import { simulate, type Run } from '../../../lab/simulation/index.ts';
import { redacted } from '../../../lab/trace/index.ts';
import { explain, type Explanation, type RunSummary } from '../../report/index.ts';
import type { Signal, Sink } from './sinks.ts';
import { during, stopwatch, summaryOf, type Task } from './task.ts';

/** The launcher delays V8's optimisation for short runs (`bin/kept.js`). A long run takes a tenth more processor time with it. */
const TUNING = Symbol.for('orchsim.endTuning');

/** Lets V8 optimise as it does by default, if the launcher has delayed it. */
const endTuning = (): void => (Reflect.get(globalThis, TUNING) as (() => void) | undefined)?.();

export interface Reported {
  readonly run: RunSummary;
  readonly explanations: readonly Explanation[];
  /** Milliseconds of real time. */
  readonly tookMs: number;
}

/** At most so many entries: a longer failed run is not repeated for its explanation. */
const EXPLAINED = 5_000_000;

/** What is emitted besides entries: the trace at the end, object changes, requests to the server. */
type Emitted = Readonly<Partial<Record<'trace' | 'changes' | 'requests', boolean>>>;

/** Runs a task with its sinks, and explains its failures. */
export function runOne(task: Task, sinks: readonly Sink[], options: Emitted): Reported {
  const { scenario, seed, plugins } = task;
  const elapsed = stopwatch();
  const run = during(task, () =>
    sinks.length === 0 ? simulate(scenario, { seed, with: plugins.definitions, onLongRun: endTuning }) : listen(task, sinks, options),
  );
  const tookMs = elapsed();
  return { run: summaryOf(run, task), tookMs, explanations: explanationsOf(run, task) };
}

function listen({ scenario, seed, plugins }: Task, sinks: readonly Sink[], { trace = false, changes, requests }: Emitted): Run {
  const emit = (signal: Signal): void => {
    for (const sink of sinks) sink(signal);
  };
  let step = 0;
  const run = simulate(scenario, {
    seed,
    trace,
    with: plugins.definitions,
    onLongRun: endTuning,
    onEntry: (entry) => emit({ type: 'entry', entry, step: ++step }),
    ...(changes === true ? { onObjectChange: (change: Change) => emit({ type: 'change', change }) } : {}),
    ...(requests === true ? { onRequest: (answered: AnsweredRequest) => emit({ type: 'request', answered }) } : {}),
  });
  emit({ type: 'end', run });
  return run;
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
