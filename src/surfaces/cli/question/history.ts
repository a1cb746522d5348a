/** The history behind a query: the trace of a scenario, which is run, or of a trace file. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { namesFor, resolveGates } from '../../../apiserver/machinery/index.ts';
import type { Situation } from '../../../lab/blockers/index.ts';
import { formatSince, readTrace, redacted, type Trace } from '../../../lab/trace/index.ts';
import { simulate, type Run } from '../../../lab/simulation/index.ts';
import type { OptionsOf } from '../command.ts';
import { BadInput } from '../exit.ts';
import { beginningOf } from '../files.ts';
import type { Io } from '../io.ts';
import { progressOn, runProgress } from '../run/progress.ts';
import { kindsWith } from '../../../lab/definitions/index.ts';
import type { Plugins } from '../../plugins/index.ts';
import { loadOne, pluginsOf, underRules } from '../load.ts';
import { missing } from '../paths.ts';
import { type QUESTION, readRules, readSeed } from '../options.ts';

export interface History extends Pick<Situation, 'trace' | 'names' | 'gates' | 'kinds'> {
  readonly scenario: string;
  readonly seed: number;
  readonly run?: Run;
  readonly file: string;
  readonly plugins: Plugins;
  /** Whether the trace contains the values of Secrets instead of numbers. */
  readonly showSecrets: boolean;
}

const PIECE = 1 << 20;

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(PIECE);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      const lines = (rest + decoder.write(buffer.subarray(0, read))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(file);
  }
}

/** The first line distinguishes a trace from a scenario. */
const isTrace = (path: string): boolean => /^\s*\{"trace":"orchsim\//.test(beginningOf(path));

export const isTraceFile = (path: string, cwd: string): boolean => {
  const full = resolve(cwd, path);
  return statSync(full, { throwIfNoEntry: false })?.isFile() === true && isTrace(full);
};

function tornText({ entries, startAt }: Trace): string {
  const last = entries.at(-1);
  const known =
    last === undefined
      ? 'nothing since the start is known'
      : `what came after step #${entries.length}, at ${formatSince(last.at - startAt)}, is lost`;
  return `the file ends within this line, which is left out: ${known}`;
}

/** Opens a trace file, or runs a scenario with a trace. Values of Secrets are replaced by numbers, unless they are requested. */
export function openHistory(path: string, options: Partial<OptionsOf<typeof QUESTION>>, io: Io): History {
  const history = opened(path, options, io);
  return { ...history, trace: shownTrace(history.trace, history) };
}

export const shownTrace = (trace: Trace, { showSecrets }: Pick<History, 'showSecrets'>): Trace => (showSecrets ? trace : redacted(trace));

function opened(path: string, { seed, scenario: name, rules, showSecrets = false }: Parameters<typeof openHistory>[1], io: Io): History {
  const { cwd } = io;
  const full = resolve(cwd, path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (path !== '-' && stat === undefined) throw new BadInput(missing(path, cwd));
  if (path !== '-' && stat?.isFile() === true && isTrace(full)) {
    const read = readTrace(linesOf(full));
    if ('error' in read) throw new BadInput(`${path}:${read.line}:1: ${read.error}`);
    if (read.torn !== undefined) io.err(`note: ${path}:${read.torn}:1: ${tornText(read.trace)}\n`);
    const names = namesFor(read.head.domain === 'k8s.io' ? 'k8s.io' : 'orch.io');
    const plugins = pluginsOf(io);
    return {
      trace: read.trace,
      names,
      kinds: kindsWith(names, plugins.definitions),
      plugins,
      gates: resolveGates({}).gates,
      scenario: read.head.scenario,
      seed: read.head.seed,
      file: path,
      showSecrets,
    };
  }
  const { scenario, file, plugins } = underRules(loadOne(path, io, name), readRules(rules));
  const progress = progressOn(io);
  const run = simulate(scenario, {
    trace: true,
    with: plugins.definitions,
    ...(seed === undefined ? {} : { seed: readSeed(seed) }),
    ...(progress.seen ? { onEntry: runProgress(progress, scenario) } : {}),
  });
  progress.clear();
  if (run.trace === undefined) throw new Error('a run that was asked for its trace has none');
  return {
    trace: run.trace,
    names: run.cluster.names,
    kinds: run.cluster.kinds,
    gates: run.cluster.gates,
    scenario: scenario.name,
    seed: run.seed,
    run,
    plugins,
    file,
    showSecrets,
  };
}
