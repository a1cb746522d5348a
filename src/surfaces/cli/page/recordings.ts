/** Pages of runs: a run is repeated with a trace, and written without the engine. Parts that do not fit are listed. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { simulate } from '../../../lab/simulation/index.ts';
import { redacted, stepAt } from '../../../lab/trace/index.ts';
import { pageHtml, LONGEST, runDataOf, stretchFor } from '../../page/index.ts';
import type { CarriedRun, CarriedScenario, PageData, Span } from '../../page/index.ts';
import { count, failureKey, grouped, replayCommand, type CommonFeatures, type RunSummary } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { refuseOverwrite } from '../files.ts';
import type { Io } from '../io.ts';
import type { Task } from '../run/task.ts';
import { carry, packed, putPage, redactedScenario, shell } from './carry.ts';

export interface PageOptions {
  readonly page?: string;
  readonly onFailure?: string;
  /** Milliseconds since the start: the part of a long run that is shown. */
  readonly window?: { readonly fromMs: number; readonly toMs: number };
  readonly force: boolean;
  /** Whether the pages contain the values of Secrets. */
  readonly showSecrets: boolean;
}

interface FinishedTask {
  readonly task: Task;
  readonly run: RunSummary;
}

/** Features that the failing seeds of a scenario share, if they were computed. */
export type InCommon = ReadonlyMap<Task['scenario'], readonly CommonFeatures[]>;
const NOTHING: InCommon = new Map();

/** Limits of one page: full recordings, and their bytes. Other runs are listed without a recording. */
const MOST_RUNS = 60;
const MOST_BYTES = 12 * 1024 * 1024;
/** At most so many deliveries, decisions and writes of a run are recorded. */
const RECORDED = 5_000_000;

/** Refuses targets that could not be written, before anything runs. */
export function checkPageTargets(
  { page, onFailure, force }: PageOptions,
  tasks: readonly Pick<Task, 'scenario' | 'file' | 'seed'>[],
  cwd: string,
): void {
  if (page !== undefined && !force) refuseOverwrite(page, '--page', cwd);
  if (onFailure === undefined) return;
  if (statSync(resolve(cwd, onFailure), { throwIfNoEntry: false })?.isDirectory() === false)
    throw new BadInput(`--page-on-failure: ${onFailure} is a file: expected a folder, which is made if it is not there`);
  if (!force) for (const task of tasks) refuseOverwrite(join(onFailure, fileNameOf(task, tasks)), '--page-on-failure', cwd);
}

/** Writes the pages, and prints their paths and notes; to standard error if standard output is for a program. */
export function writePages(
  finished: readonly FinishedTask[],
  options: PageOptions,
  format: string,
  io: Io,
  common: InCommon = NOTHING,
): void {
  const { page, onFailure } = options;
  const print = format === 'text' && page !== '-' ? io.out : io.err;
  const say = (line: string): void => print(`${line}\n`);
  const write = (path: string, option: string, runs: readonly FinishedTask[]): void => {
    putPage(pageOf(runs, options, io.cwd, say, common), path, option, io);
    if (path !== '-') say(`page: ${path}`);
  };
  if (page !== undefined && finished.length > 0) write(page, '--page', finished);
  if (onFailure === undefined) return;
  const tasks = finished.map(({ task }) => task);
  for (const one of finished)
    if (one.run.verdict !== 'held') write(join(onFailure, fileNameOf(one.task, tasks)), '--page-on-failure', [one]);
}

/** The file name of a run's page. If two scenarios have one name, their files distinguish them. */
function fileNameOf(
  { scenario, file, seed }: Pick<Task, 'scenario' | 'file' | 'seed'>,
  all: readonly Pick<Task, 'scenario' | 'file'>[],
): string {
  const clear = all.every((other) => other.file === file || other.scenario.name !== scenario.name);
  const path = clear ? '' : `${file.replace(/\.[^./]+$/, '').replaceAll(/[^\w-]+/g, '-')}-`;
  return `${path}${scenario.name}-seed-${seed}.html`.replaceAll(/[^\w.-]/g, '-');
}

function pageOf(
  finished: readonly FinishedTask[],
  options: PageOptions,
  cwd: string,
  say: (line: string) => void,
  common: InCommon,
): string {
  const scenarios = new Map<string, CarriedScenario>();
  const names = finished.map(({ task }) => fullNameOf(task, finished));
  finished.forEach(({ task }, at) => {
    const name = names[at] ?? '';
    if (scenarios.has(name)) return;
    const several = finished.some((other) => other.task.file === task.file && other.task.scenario.name !== task.scenario.name);
    const one = carry(task, name, cwd, several);
    scenarios.set(name, options.showSecrets ? one : redactedScenario(one));
  });
  const texts = packedOf(finished, options, say);
  const runs = finished.map(({ run, task: { scenario } }, at): CarriedRun => {
    const { seed, verdict, file, flags, failures } = run;
    const [failure] = failures;
    const text = texts.get(at);
    return {
      scenario: names[at] ?? scenario.name,
      seed,
      verdict,
      ...(failure === undefined
        ? {}
        : { by: failure.invariant ?? failure.kind, message: failure.message, failureGroup: failureKey(failure) }),
      replay: replayCommand(file, seed, flags),
      ...(text === undefined ? {} : { packed: text }),
    };
  });
  const first =
    runs.find(({ verdict, packed: text }) => verdict !== 'held' && text !== undefined) ?? runs.find((run) => run.packed !== undefined);
  const shared = inCommon(finished, names, runs, common);
  return pageHtml(shell('recording.html'), {
    scenarios: [...scenarios.values()],
    open: first?.scenario ?? names[0] ?? '',
    ...(first === undefined ? {} : { seed: first.seed }),
    runs,
    ...(shared.length === 0 ? {} : { common: shared }),
  });
}

function inCommon(
  finished: readonly FinishedTask[],
  names: readonly string[],
  runs: readonly CarriedRun[],
  common: InCommon,
): NonNullable<PageData['common']> {
  const scenarios = new Map(finished.map(({ task }, at) => [task.scenario, names[at] ?? task.scenario.name]));
  return [...scenarios].flatMap(([of, scenario]) =>
    (common.get(of) ?? []).flatMap(({ failure, comparedWith, features }) =>
      comparedWith === 'nothing' || !runs.some(({ failureGroup }) => failureGroup === failure)
        ? []
        : [
            {
              scenario,
              failureGroup: failure,
              comparedWith,
              features: features.map(({ text, here, elsewhere }) => ({ text, here, elsewhere })),
            },
          ],
    ),
  );
}

function fullNameOf({ scenario, file }: Task, all: readonly FinishedTask[]): string {
  const clear = all.every(({ task }) => task.file === file || task.scenario.name !== scenario.name);
  return clear ? scenario.name : `${file.replace(/\.[^./]+$/, '')}#${scenario.name}`;
}

/** Selects the recordings of the page: every failing run, one of each failure first, and one run that held, within the limits. */
function packedOf(finished: readonly FinishedTask[], options: PageOptions, say: (line: string) => void): ReadonlyMap<number, string> {
  const packed = new Map<number, string>();
  let bytes = 0;
  const order = byPriority(finished);
  for (const at of order) {
    const one = finished[at];
    if (one === undefined || packed.size >= MOST_RUNS) break;
    const text = packedRun(one, options, say);
    if (text === undefined || (packed.size > 0 && bytes + text.length > MOST_BYTES)) continue;
    packed.set(at, text);
    bytes += text.length;
  }
  const broken = finished.filter(({ run }) => run.verdict !== 'held').length;
  const written = [...packed.keys()].filter((at) => finished[at]?.run.verdict !== 'held').length;
  if (written < broken) say(`page: it contains ${written} of ${count(broken, 'run')} that broke, and the commands that run the others`);
  return packed;
}

function byPriority(finished: readonly FinishedTask[]): readonly number[] {
  const seen = new Set<string>();
  const rank = finished.map(({ run }): number => {
    const [failure] = run.failures;
    const sort = `${run.scenario} ${failure === undefined ? '' : failureKey(failure)}`;
    const isNew = !seen.has(sort);
    seen.add(sort);
    return failure === undefined ? (isNew ? 2 : 3) : isNew ? 0 : 1;
  });
  const all = [...finished.keys()].sort((a, b) => (rank[a] ?? 0) - (rank[b] ?? 0) || a - b);
  const sweep = new Set(finished.map(({ task }) => task.scenario)).size < finished.length;
  // One seed that held is enough.
  return sweep ? all.filter((at) => (rank[at] ?? 0) < 3) : all;
}

function packedRun(
  { task, run: { counters, failures } }: FinishedTask,
  { window, showSecrets }: PageOptions,
  say: (line: string) => void,
): string | undefined {
  const { scenario, seed, plugins, file, flags } = task;
  const name = `${scenario.name}, seed ${seed}`;
  if (counters.commits + counters.deliveries + counters.reconciles > RECORDED) {
    say(`page: ${name}: too long to be recorded; ${replayCommand(file, seed, flags)} prints it`);
    return undefined;
  }
  const run = simulate(scenario, { seed, trace: true, with: plugins.definitions });
  if (run.trace === undefined) return undefined;
  const { entries, startAt } = run.trace;
  const span = window === undefined ? stretchFor(entries.length, failures[0]?.traceStep) : chosenStretch(run.trace, window);
  if (span !== undefined) {
    const since = (step: number): string => `${((entries[step]?.at ?? startAt) - startAt) / 1000}s`;
    say(
      `page: ${name} has ${grouped(entries.length)} entries; the page shows ${grouped(span.to - span.from)} of them, from ${since(span.from)} to ${since(span.to - 1)}; --page-window FROM..TO chooses others`,
    );
  }
  return packed(runDataOf(run, showSecrets ? run.trace : redacted(run.trace), span));
}

function chosenStretch(trace: Parameters<typeof stepAt>[0], { fromMs, toMs }: NonNullable<PageOptions['window']>): Span {
  const from = Math.min(stepAt(trace, trace.startAt + fromMs - 1), Math.max(0, trace.entries.length - 1));
  const to = Math.max(from + 1, stepAt(trace, trace.startAt + toMs));
  return { from, to: Math.min(to, from + LONGEST) };
}
