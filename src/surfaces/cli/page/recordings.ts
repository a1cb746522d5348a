/**
 * Pages of runs: what was run is run again with its trace, which is the same run, and written into a page without the engine. What a page
 * has no room for is said, on it and beside it.
 */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { simulate } from '../../../lab/simulation/index.ts';
import { redacted, stepAt } from '../../../lab/trace/index.ts';
import {
  pageHtml,
  recordingText,
  LONGEST,
  runDataOf,
  stretchFor,
  type CarriedRun,
  type CarriedScenario,
  type PageData,
  type Span,
} from '../../page/index.ts';
import { count, failureKey, grouped, replayCommand, type CommonFeatures, type RunSummary } from '../../report/index.ts';
import { BadInput } from '../exit.ts';
import { spare } from '../files.ts';
import type { Io } from '../io.ts';
import { writeWhole } from '../write.ts';
import type { Task } from '../run/task.ts';
import { carry, hidden, shell } from './carry.ts';

/** What of a run's pages was asked for. */
export interface PageOptions {
  /** One page of all runs. */
  readonly page?: string;
  /** A page for each run that fails, in this folder. */
  readonly onFailure?: string;
  /** Milliseconds since the start: what is shown of runs that are too long. */
  readonly window?: { readonly fromMs: number; readonly toMs: number };
  readonly force: boolean;
  /** Whether they hold what Secrets hold. */
  readonly showSecrets: boolean;
}

/** A task that was performed, and what came of it. */
export interface Ended {
  readonly task: Task;
  readonly run: RunSummary;
}

/** What failing seeds of a scenario have in common, where that was asked. */
type InCommon = ReadonlyMap<Task['scenario'], readonly CommonFeatures[]>;
const NOTHING: InCommon = new Map();

/** Runs that one page holds in full, and the bytes that they may take; the others are told of. */
const MOST_RUNS = 60;
const MOST_BYTES = 12 * 1024 * 1024;
/** Deliveries, decisions and writes of a run that is made again with its trace. */
const RECORDED = 5_000_000;

/** Refuses what could not be written in the end, before anything runs. */
export function sparePages(
  { page, onFailure, force }: PageOptions,
  tasks: readonly Pick<Task, 'scenario' | 'file' | 'seed'>[],
  cwd: string,
): void {
  if (page !== undefined && !force) spare(page, '--page', cwd);
  if (onFailure === undefined) return;
  if (statSync(resolve(cwd, onFailure), { throwIfNoEntry: false })?.isDirectory() === false)
    throw new BadInput(`--page-on-failure: ${onFailure} is a file: expected a folder, which is made if it is not there`);
  if (!force) for (const task of tasks) spare(join(onFailure, fileNameOf(task, tasks)), '--page-on-failure', cwd);
}

/** Writes the pages that were asked for; answers where they are, a line each. */
function writePages(ended: readonly Ended[], wishes: PageOptions, io: Io, common: InCommon): readonly string[] {
  const { page, onFailure } = wishes;
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
  };
  if (page !== undefined && ended.length > 0) put(page, '--page', pageOf(ended, wishes, io.cwd, say, common), io, say);
  if (onFailure === undefined) return lines;
  const tasks = ended.map(({ task }) => task);
  for (const one of ended) {
    if (one.run.verdict === 'held') continue;
    put(join(onFailure, fileNameOf(one.task, tasks)), '--page-on-failure', pageOf([one], wishes, io.cwd, say, common), io, say);
  }
  return lines;
}

/** Writes them, and says where they are; beside a result that a program reads on the other stream. */
export function tellPages(ended: readonly Ended[], wishes: PageOptions, format: string, io: Io, common: InCommon = NOTHING): void {
  const say = format === 'text' && wishes.page !== '-' ? io.out : io.err;
  for (const line of writePages(ended, wishes, io, common)) say(`${line}\n`);
}

/** A file a run: two scenarios may have one name, then their files tell them apart. */
function fileNameOf(
  { scenario, file, seed }: Pick<Task, 'scenario' | 'file' | 'seed'>,
  all: readonly Pick<Task, 'scenario' | 'file'>[],
): string {
  const clear = all.every((other) => other.file === file || other.scenario.name !== scenario.name);
  const path = clear ? '' : `${file.replace(/\.[^./]+$/, '').replaceAll(/[^\w-]+/g, '-')}-`;
  return `${path}${scenario.name}-seed-${seed}.html`.replaceAll(/[^\w.-]/g, '-');
}

function put(path: string, option: string, html: string, io: Io, say: (line: string) => void): void {
  if (path === '-') {
    io.out(html, 'verbatim');
    return;
  }
  writeWhole({ option, path, cwd: io.cwd }, html);
  say(`page: ${path}`);
}

function pageOf(ended: readonly Ended[], wishes: PageOptions, cwd: string, say: (line: string) => void, common: InCommon): string {
  const scenarios = new Map<string, CarriedScenario>();
  const names = ended.map(({ task }) => fullNameOf(task, ended));
  ended.forEach(({ task }, at) => {
    const name = names[at] ?? '';
    const one = scenarios.has(name) ? undefined : carried(task, name, cwd, ended);
    if (one !== undefined) scenarios.set(name, wishes.showSecrets ? one : hidden(one));
  });
  const packed = packedOf(ended, wishes, say);
  const runs = ended.map(({ run, task: { scenario } }, at): CarriedRun => {
    const { seed, verdict, file, flags, failures } = run;
    const [failure] = failures;
    const text = packed.get(at);
    return {
      scenario: names[at] ?? scenario.name,
      seed,
      verdict,
      ...(failure === undefined ? {} : { by: failure.invariant ?? failure.kind, message: failure.message, alike: failureKey(failure) }),
      replay: replayCommand(file, seed, flags),
      ...(text === undefined ? {} : { packed: text }),
    };
  });
  const first =
    runs.find(({ verdict, packed: text }) => verdict !== 'held' && text !== undefined) ?? runs.find((run) => run.packed !== undefined);
  const shared = inCommon(ended, names, runs, common);
  return pageHtml(shell('recording.html'), {
    scenarios: [...scenarios.values()],
    open: first?.scenario ?? names[0] ?? '',
    ...(first === undefined ? {} : { seed: first.seed }),
    runs,
    ...(shared.length === 0 ? {} : { common: shared }),
  });
}

/** What those of the page's runs that failed alike have in common. */
function inCommon(
  ended: readonly Ended[],
  names: readonly string[],
  runs: readonly CarriedRun[],
  common: InCommon,
): NonNullable<PageData['common']> {
  const scenarios = new Map(ended.map(({ task }, at) => [task.scenario, names[at] ?? task.scenario.name]));
  return [...scenarios].flatMap(([of, scenario]) =>
    (common.get(of) ?? []).flatMap(({ failure, comparedWith, features }) =>
      comparedWith === 'nothing' || !runs.some(({ alike }) => alike === failure)
        ? []
        : [{ scenario, alike: failure, comparedWith, features: features.map(({ text, here, elsewhere }) => ({ text, here, elsewhere })) }],
    ),
  );
}

function fullNameOf({ scenario, file }: Task, all: readonly Ended[]): string {
  const clear = all.every(({ task }) => task.file === file || task.scenario.name !== scenario.name);
  return clear ? scenario.name : `${file.replace(/\.[^./]+$/, '')}#${scenario.name}`;
}

const carried = (task: Task, name: string, cwd: string, all: readonly Ended[]): CarriedScenario =>
  carry(
    task,
    name,
    cwd,
    all.some((other) => other.task.file === task.file && other.task.scenario.name !== task.scenario.name),
  );

/** What goes in: everything that broke, one of each way of breaking first, and one run that held, as far as there is room. */
function packedOf(ended: readonly Ended[], wishes: PageOptions, say: (line: string) => void): ReadonlyMap<number, string> {
  const packed = new Map<number, string>();
  let bytes = 0;
  const order = inOrderOfWorth(ended);
  for (const at of order) {
    const one = ended[at];
    if (one === undefined || packed.size >= MOST_RUNS) break;
    const text = packedRun(one, wishes, say);
    if (text === undefined || (packed.size > 0 && bytes + text.length > MOST_BYTES)) continue;
    packed.set(at, text);
    bytes += text.length;
  }
  const broken = ended.filter(({ run }) => run.verdict !== 'held').length;
  const inside = [...packed.keys()].filter((at) => ended[at]?.run.verdict !== 'held').length;
  if (inside < broken)
    say(`page: it has room for ${inside} of ${count(broken, 'run')} that broke; it names the commands that run the others`);
  return packed;
}

function inOrderOfWorth(ended: readonly Ended[]): readonly number[] {
  const seen = new Set<string>();
  const rank = ended.map(({ run }): number => {
    const [failure] = run.failures;
    const sort = `${run.scenario} ${failure === undefined ? '' : failureKey(failure)}`;
    const isNew = !seen.has(sort);
    seen.add(sort);
    return failure === undefined ? (isNew ? 2 : 3) : isNew ? 0 : 1;
  });
  const all = [...ended.keys()].sort((a, b) => (rank[a] ?? 0) - (rank[b] ?? 0) || a - b);
  const sweep = new Set(ended.map(({ task }) => task.scenario)).size < ended.length;
  // Of seeds that held one is as good as another.
  return sweep ? all.filter((at) => (rank[at] ?? 0) < 3) : all;
}

function packedRun(
  { task, run: { counters, failures } }: Ended,
  { window, showSecrets }: PageOptions,
  say: (line: string) => void,
): string | undefined {
  const { scenario, seed, plugins, file } = task;
  const name = `${scenario.name}, seed ${seed}`;
  if (counters.commits + counters.deliveries + counters.reconciles > RECORDED) {
    say(`page: ${name}: too long to be recorded; npx orchsim run ${file} --seed ${seed} -v tells it`);
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
  return deflateRawSync(recordingText(runDataOf(run, showSecrets ? run.trace : redacted(run.trace), span)), { level: 9 }).toString(
    'base64',
  );
}

/** As chosen, and no more than a page can hold. */
function chosenStretch(trace: Parameters<typeof stepAt>[0], { fromMs, toMs }: NonNullable<PageOptions['window']>): Span {
  const from = Math.min(stepAt(trace, trace.startAt + fromMs - 1), Math.max(0, trace.entries.length - 1));
  const to = Math.max(from + 1, stepAt(trace, trace.startAt + toMs));
  return { from, to: Math.min(to, from + LONGEST) };
}
