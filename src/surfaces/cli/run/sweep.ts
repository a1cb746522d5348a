/** Runs every scenario with every seed. No traces are kept: a failing seed is listed with its replay and its common features. */
import { availableParallelism } from 'node:os';
import { simulate } from '../../../lab/simulation/index.ts';
import { collectFeatures, distinguish, type Features } from '../../../lab/trace/index.ts';
import { count, coverageReport, groupByFailure, mergeSweep, sweepLines, sweepsJunit, sweepTotals } from '../../report/index.ts';
import type { CommonFeatures, RunSummary } from '../../report/index.ts';
import { EXIT, exitCodeOf } from '../exit.ts';
import { fitted, type Io, jsonText } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { type BatchOptions, conclude } from './frame.ts';
import { knownTo, type Task } from './task.ts';
import { performAll, type Finished } from './pool.ts';
import { progressOn } from './progress.ts';

export interface SweepOptions extends BatchOptions {
  readonly seeds: readonly number[];
  /** Default: one for each processor, if there is enough work. */
  readonly jobs?: number;
}

/** Starting a thread takes as long as some tens of small runs. */
const WORTH_THREADS = 40;

/** Runs a sweep and prints the results in the requested format. Returns the exit code. */
export async function runSweep(chosen: readonly LoadedScenario[], options: SweepOptions, io: Io): Promise<number> {
  const { seeds, jobs: given, format, coverage, unread } = options;
  const tasks: readonly Task[] = chosen.flatMap((loaded) => seeds.map((seed) => ({ ...loaded, seed, coverage })));
  const jobs = given ?? (tasks.length < WORTH_THREADS ? 1 : availableParallelism());
  const interruption = io.interruption?.();
  const answers = await performed(tasks, jobs, interruption, io);
  const summaries = new Map([...answers].map(([at, { summary }]) => [at, summary] as const));
  const done = [...summaries.values()];
  const interrupted = done.length < tasks.length;
  const verdict = interrupted ? EXIT.interrupted : exitCodeOf(done.map(({ verdict: each }) => each));
  const code = unread.length > 0 && !interrupted ? EXIT.badInput : verdict;
  const common = new Map<LoadedScenario['scenario'], readonly CommonFeatures[]>();
  const sweeps = chosen
    .map((loaded, at) => {
      const runs: RunSummary[] = [];
      const unrun: number[] = [];
      for (const [n, seed] of seeds.entries()) {
        const summary = summaries.get(at * seeds.length + n);
        if (summary === undefined) unrun.push(seed);
        else runs.push(summary);
      }
      const features = interrupted ? [] : commonFeatures(loaded, runs);
      common.set(loaded.scenario, features);
      return mergeSweep(runs, features, unrun);
    })
    .filter((sweep) => sweep !== undefined);
  const inOrder = tasks.flatMap((_, at) => summaries.get(at) ?? []);
  const covered = coverage ? coverageReport(inOrder, knownTo(chosen)) : undefined;
  if (format === 'json') {
    const halfway = interrupted ? { interrupted: { run: done.length, of: tasks.length } } : {};
    const unreadable = unread.length === 0 ? {} : { unreadable: unread };
    io.out(jsonText({ exitCode: code, ...halfway, ...unreadable, ...(covered === undefined ? {} : { coverage: covered }), sweeps }));
  } else if (format === 'junit')
    io.out(
      sweepsJunit(
        sweeps,
        [...answers].sort(([a], [b]) => a - b).map(([, { summary, tookMs }]) => ({ run: summary, tookMs })),
        unread,
      ),
    );
  else for (const sweep of sweeps) io.out(fitted(sweepLines(sweep, io.palette), io));
  if (format === 'text' && sweeps.length + unread.length > 1) io.out(fitted(sweepTotals(sweeps, unread, io.palette), io));
  conclude(
    tasks.map((task, at) => ({ task, run: summaries.get(at) })),
    covered,
    options,
    io,
    common,
  );
  if (interrupted) io.err(`interrupted: ${done.length} of ${count(tasks.length, 'run')} were made\n`);
  return code;
}

/** The summaries until the end or an interruption, by the index of their task. */
async function performed(
  tasks: readonly Task[],
  jobs: number,
  interruption: AbortSignal | undefined,
  io: Io,
): Promise<ReadonlyMap<number, Finished>> {
  const summaries = new Map<number, Finished>();
  const progress = progressOn(io);
  let failed = 0;
  await performAll(tasks, jobs, interruption).forEach((finished) => {
    const { index, summary } = finished;
    summaries.set(index, finished);
    if (summary.verdict !== 'held') failed++;
    progress.show(`${summaries.size} of ${count(tasks.length, 'run')}${failed === 0 ? '' : `, ${failed} failed`}`);
  });
  progress.clear();
  return summaries;
}

/** At most so many seeds of each group are compared; more do not improve the result. */
const COMPARED = 24;
/** The budget: kernel events, and groups of failures. */
const AFFORDABLE = 5_000_000;
const SORTS = 10;

function commonFeatures(loaded: LoadedScenario, runs: readonly RunSummary[]): readonly CommonFeatures[] {
  const failed = runs.flatMap((run) => (run.failures[0] === undefined ? [] : [{ run, ...run.failures[0] }]));
  if (failed.length === 0) return [];
  const featuresBySeed = new Map<number, Features>();
  let left = AFFORDABLE;
  const featuresOf = (run: RunSummary): readonly Features[] => {
    const known = featuresBySeed.get(run.seed);
    if (known !== undefined) return [known];
    left -= run.steps;
    if (left < 0) return [];
    const features = listen(loaded, run);
    featuresBySeed.set(run.seed, features);
    return [features];
  };
  const held = runs.filter(({ failures }) => failures.length === 0);
  return [...groupByFailure(failed)].slice(0, SORTS).map(([failure, group]): CommonFeatures => {
    const seeds = group.map(({ run }) => run.seed);
    const otherwise = failed.filter((one) => !group.includes(one)).map(({ run }) => run);
    const others = held.length > 0 ? held : otherwise;
    const comparedWith = held.length > 0 ? 'held' : otherwise.length > 0 ? 'failed in another way' : 'nothing';
    if (comparedWith === 'nothing') return { failure, seeds, comparedWith, features: [] };
    const untilMs = Math.max(...group.map(({ sinceStartMs }) => sinceStartMs));
    const here = group.slice(0, COMPARED).flatMap(({ run }) => featuresOf(run));
    return { failure, seeds, comparedWith, features: distinguish(here, others.slice(0, COMPARED).flatMap(featuresOf), untilMs) };
  });
}

/** Collects the features of a run up to its first failure, because later entries do not explain it. */
function listen({ scenario, plugins }: LoadedScenario, { seed, failures }: RunSummary): Features {
  const collector = collectFeatures(scenario.startAt);
  const last = failures[0]?.traceStep ?? Infinity;
  let step = 0;
  simulate(scenario, {
    seed,
    with: plugins.definitions,
    onEntry: (entry) => {
      if (++step <= last) collector.observe(entry);
    },
  });
  return collector.features;
}
