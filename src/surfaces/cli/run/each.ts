/** Runs scenarios one after the other and tells of each as soon as it is done. */
import { factsLine, failureLines, junit, replayLines, runLine, runsJson, totalsLines, type Palette } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { LOG_LEVELS, type LogLevel } from './log-levels.ts';
import { runOne, type Told } from './one.ts';
import { performAll } from './pool.ts';
import { progressOn } from './progress.ts';
import { eventsSink, lineFile, progressSink, timelineSink, traceSink, type LineFile, type Sink } from './sinks.ts';
import type { Task } from './task.ts';
import { exitCodeOf } from './verdict.ts';

export interface EachOptions {
  readonly format: 'text' | 'json' | 'junit';
  readonly jobs: number;
  readonly verbose: number;
  readonly seed?: number;
  readonly trace?: string;
  readonly events?: string;
  readonly log?: string;
  readonly logLevel: string;
}

export async function runEach(chosen: readonly LoadedScenario[], options: EachOptions, io: Io): Promise<number> {
  const tasks: readonly Task[] = chosen.map(({ scenario, file }) => ({ scenario, file, seed: options.seed ?? scenario.seed }));
  const told: Told[] = [];
  const tell = (one: Told): void => {
    told.push(one);
    if (options.format === 'text') io.out(`${textOf(one, tasks.length > 1, io.palette).join('\n')}\n`);
  };
  const listened = options.verbose > 0 || options.trace !== undefined || options.events !== undefined || options.log !== undefined;
  if (options.jobs > 1 && !listened) await runApart(tasks, options.jobs, tell);
  else for (const task of tasks) tell(await runListened(task, options, io));
  const code = exitCodeOf(told.map(({ run }) => run.verdict));
  if (options.format === 'json') io.out(runsJson(told, code));
  else if (options.format === 'junit') io.out(junit(told));
  else if (told.length > 1) io.out(`${[...totalsLines(told.map(({ run }) => run), io.palette), ...invitation(tasks, code, io.palette)].join('\n')}\n`);
  return code;
}

/** One among many is a line; alone, or failing, it tells more. */
const textOf = ({ run, explanations }: Told, among: boolean, palette: Palette): readonly string[] => {
  const failures = run.failures.flatMap((failure, at) => failureLines(run, failure, explanations[at], palette));
  return [runLine(run, palette), ...(among && failures.length === 0 ? [] : [factsLine(run, palette)]), ...failures, ...(failures.length > 0 ? [...replayLines(run, palette), ''] : [])];
};

/** Where to go from a list in which everything held. */
const invitation = ([first]: readonly Task[], code: number, palette: Palette): readonly string[] =>
  first === undefined || code !== 0 ? [] : ['', `look closer: ${palette.strong(`npx orchsim run -v ${first.file}`)}   step by step: ${palette.strong(`npx orchsim walk ${first.file}`)}`];

/** On threads; those that failed are run again here, to explain themselves. */
async function runApart(tasks: readonly Task[], jobs: number, tell: (one: Told) => void): Promise<void> {
  const answers = new Map<number, Told['run']>();
  await performAll(tasks, jobs).forEach(({ index, summary }) => { answers.set(index, summary); });
  for (const [index, task] of tasks.entries()) {
    const run = answers.get(index);
    if (run !== undefined) tell(run.failures.length === 0 ? { run, explanations: [] } : runOne(task, [], {}));
  }
}

async function runListened(task: Task, options: EachOptions, io: Io): Promise<Told> {
  const { scenario, seed } = task;
  const progress = progressOn(io);
  const files: LineFile[] = [];
  const open = (path: string, option: string): LineFile => { const file = lineFile(path, io, option); files.push(file); return file; };
  const sinks: Sink[] = [];
  try {
    if (options.verbose > 0 && options.format === 'text') sinks.push(timelineSink(io, scenario, options.verbose));
    else if (io.terminal) sinks.push(progressSink(progress, scenario));
    if (options.events !== undefined) sinks.push(eventsSink(open(options.events, '--events'), scenario));
    if (options.trace !== undefined) sinks.push(traceSink(open(options.trace, '--trace')));
    if (options.log !== undefined) sinks.push((await import('./log.ts')).logSink(open(options.log, '--log'), levelOf(options.logLevel), scenario.name, seed));
    return runOne(task, sinks, { trace: options.trace !== undefined, changes: options.events !== undefined });
  } finally {
    progress.clear();
    for (const file of files) file.close();
  }
}

const levelOf = (text: string): LogLevel => {
  const found = LOG_LEVELS.find((each) => each === text);
  if (found === undefined) throw new BadInput(`--log-level: expected one of ${LOG_LEVELS.join(', ')}, found ${JSON.stringify(text)}`);
  return found;
};
