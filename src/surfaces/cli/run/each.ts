/** Runs scenarios one after the other, and prints each result when it is ready. */
import {
  count,
  coverageReport,
  factsLine,
  failureLines,
  firstWriteLines,
  junit,
  livenessLines,
  lintWarningLines,
  replayLines,
  runLine,
  runsJson,
  totalsLines,
  widthOf,
} from '../../report/index.ts';
import type { Palette, Unrun } from '../../report/index.ts';
import { EXIT, exitCodeOf } from '../exit.ts';
import { fitted, type Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { collectCoverage } from '../../../lab/coverage.ts';
import { knownTo, type Task } from './task.ts';
import { readWord, LOG_LEVELS } from '../options.ts';
import { type BatchOptions, conclude, folderLines, invitation, openingLines, titleLines } from './frame.ts';
import { runOne, type Reported } from './one.ts';
import { performAll } from './pool.ts';
import { progressOn, type Progress } from './progress.ts';
import { auditSink, coverageSink, eventsSink, exportSink, lineFile, progressSink, timelineSink, traceSink } from './sinks.ts';
import type { LineFile, Sink } from './sinks.ts';

/** What a run may be written to, as options name it. */
export const FILES = ['trace', 'events', 'auditLog', 'perfetto', 'shiviz', 'log'] as const;
export type FileName = (typeof FILES)[number];
/** The option of a file. */
export const optionOf = <N extends FileName>(name: N) =>
  name === 'auditLog' ? '--audit-log' : (`--${name}` as `--${Exclude<N, 'auditLog'>}`);

export interface EachOptions extends BatchOptions {
  /** As given on the command line. */
  readonly paths: readonly string[];
  readonly jobs: number;
  readonly verbose: number;
  readonly seed?: number;
  readonly files: Readonly<Partial<Record<FileName, string>>>;
  readonly logLevel: string;
  /** Whether files contain the values of Secrets. */
  readonly showSecrets: boolean;
}

/** Runs scenarios and prints the results in the requested format. Returns the exit code. */
export async function runEach(chosen: readonly LoadedScenario[], options: EachOptions, io: Io): Promise<number> {
  const tasks: readonly Task[] = chosen.map((loaded) => ({
    ...loaded,
    seed: options.seed ?? loaded.scenario.seed,
    liveness: true,
    coverage: options.coverage,
  }));
  const { unread } = options;
  const reported: Reported[] = [];
  const startedAt = Date.now();
  const several = tasks.length > 1;
  const say = (lines: readonly string[]): void => {
    if (options.format !== 'text' || lines.length === 0) return;
    io.out(fitted(lines, io));
  };
  const begin = ({ scenario }: Task, at: number): void => {
    say(folderLines(several ? tasks : [], at, io.palette));
    if (options.verbose > 0) say(titleLines(scenario, io.palette));
  };
  const print = (one: Reported): void => {
    const task = tasks[reported.length];
    reported.push(one);
    if (options.verbose > 0) say(['']);
    say(textOf(one, { several, width, ...(several || options.verbose > 0 ? {} : { teaches: task?.scenario.teaches }) }, io.palette));
  };
  const width = tasks.reduce((longest, { scenario: { name } }) => Math.max(longest, widthOf(name)), 0);
  if (several) say(openingLines(tasks, io.palette));
  const listened = options.verbose > 0 || Object.keys(options.files).length > 0;
  // A single run has no partial result, so an interruption may end the process.
  const interruption = several ? io.interruption?.() : undefined;
  if (!listened && (options.jobs > 1 || interruption !== undefined))
    await runMany(tasks, options.jobs, { begin, print, progress: progressOn(io), ...(interruption === undefined ? {} : { interruption }) });
  else
    for (const [at, task] of tasks.entries()) {
      await yieldToEvents(interruption);
      if (interruption?.aborted === true) break;
      begin(task, at);
      print(await runListened(task, options, io));
    }
  const unrun = interruption?.aborted === true ? tasks.slice(reported.length) : [];
  const code = codeOf(reported, unrun.length, unread.length);
  const covered = options.coverage ? coverageReport(runsOf(reported), knownTo(chosen)) : undefined;
  if (options.format === 'json') io.out(runsJson(reported, code, { unrun: unrun.map(unrunOf), unread, coverage: covered }));
  else if (options.format === 'junit') io.out(junit(reported, unrun.map(unrunOf), unread));
  else if (reported.length > 1 || unrun.length > 0 || unread.length > 0)
    io.out(
      fitted(
        [
          ...totalsLines(runsOf(reported), io.palette, io.terminal ? Date.now() - startedAt : undefined, unread),
          ...(code === EXIT.held ? invitation(tasks, options.paths, io) : []),
        ],
        io,
      ),
    );
  conclude(
    tasks.map((task, at) => ({ task, run: reported[at]?.run })),
    covered,
    options,
    io,
  );
  if (unrun.length > 0) io.err(`interrupted: ${reported.length} of ${count(tasks.length, 'scenario')} were run\n`);
  return code;
}

const runsOf = (reported: readonly Reported[]): readonly Reported['run'][] => reported.map(({ run }) => run);

function codeOf(reported: readonly Reported[], unrun: number, unread: number): number {
  if (unrun > 0) return EXIT.interrupted;
  return unread > 0 ? EXIT.badInput : exitCodeOf(reported.map(({ run }) => run.verdict));
}

/** Lets signal handlers run: a run is synchronous. */
const yieldToEvents = async (interruption: AbortSignal | undefined): Promise<void> => {
  if (interruption !== undefined) await new Promise((done) => setImmediate(done));
};

const unrunOf = ({ scenario, file, seed }: Task): Unrun => ({ scenario: scenario.name, file, seed });

/** The result as lines. One of several that held is a single line. */
const textOf = (
  { run, explanations }: Reported,
  { several, width, teaches }: { readonly several: boolean; readonly width: number; readonly teaches?: string | undefined },
  palette: Palette,
): readonly string[] => {
  const failures = run.failures.flatMap((failure, at) => failureLines(run, failure, explanations[at], palette));
  return [
    runLine(run, palette, width),
    ...(teaches === undefined ? [] : [`  ${teaches}`]),
    ...lintWarningLines(run, palette),
    ...firstWriteLines(run, palette),
    ...livenessLines(run, palette),
    ...(several && failures.length === 0 ? [] : [factsLine(run, palette)]),
    ...failures,
    ...(failures.length > 0 ? [...replayLines(run, palette), ''] : []),
  ];
};

interface ThreadedRun {
  begin(task: Task, at: number): void;
  print(one: Reported): void;
  readonly progress: Progress;
  readonly interruption?: AbortSignal;
}

/** Runs tasks in threads, and prints results in order as soon as possible. Failed runs are repeated here for their explanation. */
async function runMany(tasks: readonly Task[], jobs: number, { begin, print, progress, interruption }: ThreadedRun): Promise<void> {
  const answers = new Map<number, { readonly run: Reported['run']; readonly tookMs: number }>();
  let next = 0;
  let done = 0;
  await performAll(tasks, jobs, interruption).forEach(({ index, summary, tookMs }) => {
    answers.set(index, { run: summary, tookMs });
    progress.clear();
    for (
      let answer = answers.get(next), task = tasks[next];
      answer !== undefined && task !== undefined;
      answer = answers.get(next), task = tasks[next]
    ) {
      const { run, tookMs } = answer;
      begin(task, next++);
      print(
        run.failures.length === 0
          ? { run, tookMs, explanations: [] }
          : { run, tookMs, explanations: runOne({ ...task, liveness: false }, [], {}).explanations },
      );
    }
    progress.show(`${++done} of ${count(tasks.length, 'run')}`);
  });
  progress.clear();
}

async function runListened(task: Task, options: EachOptions, io: Io): Promise<Reported> {
  const { scenario, seed } = task;
  const progress = progressOn(io);
  const files: LineFile[] = [];
  const open = (path: string, option: string): LineFile => {
    const file = lineFile(path, io, option);
    files.push(file);
    return file;
  };
  const sinks: Sink[] = [];
  try {
    const timeline = options.verbose > 0 && options.format === 'text';
    if (timeline) sinks.push(timelineSink(io, scenario, options.verbose, options.showSecrets));
    // On one terminal, progress and timeline would overwrite each other.
    if (progress.seen && !(timeline && io.terminal)) sinks.push(progressSink(progress, scenario));
    const { events, trace, log, auditLog } = options.files;
    if (events !== undefined) sinks.push(eventsSink(open(events, '--events'), scenario, options.showSecrets));
    if (trace !== undefined) sinks.push(traceSink(open(trace, '--trace'), options.showSecrets));
    if (auditLog !== undefined) sinks.push(auditSink(open(auditLog, '--audit-log'), scenario, options.showSecrets));
    for (const format of ['perfetto', 'shiviz'] as const) {
      const path = options.files[format];
      if (path !== undefined) sinks.push(exportSink(open(path, `--${format}`), format, options.showSecrets));
    }
    if (log !== undefined) {
      const { logSink } = await import('./log.ts');
      sinks.push(logSink(open(log, '--log'), readWord('--log-level', options.logLevel, LOG_LEVELS), scenario.name, seed));
    }
    const collector = task.coverage === true ? collectCoverage() : undefined;
    if (collector !== undefined) sinks.push(coverageSink(collector));
    const reported = runOne(task, sinks, {
      trace: ['trace', 'perfetto', 'shiviz'].some((name) => name in options.files),
      changes: events !== undefined,
      requests: auditLog !== undefined,
    });
    return collector === undefined ? reported : { ...reported, run: { ...reported.run, coverage: collector.coverage() } };
  } finally {
    progress.clear();
    for (const file of files) file.close();
  }
}
