/** Runs a scenario twice here and once in a fresh process (memory, caches, load order), and compares every entry. */
import { diffValues, entryLine, formatParts, formatSince, partsOf, type Entry, type Trace, isEntryLine } from '../../lab/trace/index.ts';
import type { LoadedScenario } from './load.ts';
import { simulate } from '../../lab/simulation/index.ts';
import { runProgress, type Progress } from './run/progress.ts';
import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { STDIN } from './files.ts';
import { builtProgram } from './install.ts';

/** The parts of a run that must be equal every time. */
export interface Record {
  readonly digest: string;
  readonly trace: Trace;
}

/** Makes one run of a scenario. Tests pass one that is not deterministic. */
export type RunOnce = (loaded: LoadedScenario, seed: number) => Record;

/** The lines of all entries, those of the prologue first. */
export function* entryLines({ prologue, entries }: Trace): Generator<string> {
  for (const entry of prologue) yield entryLine(entry);
  for (const entry of entries) yield entryLine(entry);
}

/** Compares a trace with the lines of another. Returns undefined if they are equal byte by byte. */
function firstDifference(trace: Trace, other: Iterable<string>) {
  const lines = other[Symbol.iterator]();
  const before = trace.prologue.length;
  let step = -before;
  for (const mine of entryLines(trace)) {
    step++;
    const next = lines.next();
    const theirs = next.done === true ? undefined : next.value;
    if (mine !== theirs) return describe(trace, step, mine, theirs);
  }
  const more = lines.next();
  return more.done === true ? undefined : describe(trace, step + 1, undefined, more.value);
}

/** The first entry that differs; its step is from 1, in the prologue 0 and below; a run that had already ended has no line. */
function describe({ startAt }: Trace, step: number, mine: string | undefined, theirs: string | undefined) {
  const [first, second] = [mine, theirs].map((text) => (text === undefined ? undefined : (JSON.parse(text) as Entry)));
  const at = first?.at ?? second?.at ?? startAt;
  const line = (entry: Entry | undefined): string | undefined =>
    entry === undefined ? undefined : formatParts(partsOf(entry, step, startAt, '')).trim();
  return {
    step,
    time: formatSince(at - startAt),
    first: line(first),
    second: line(second),
    changes: first === undefined || second === undefined ? [] : diffValues(first, second),
  };
}

export type Determinism = Awaited<ReturnType<typeof checkDeterminism>>;

export interface CheckOptions {
  readonly seed?: number;
  readonly runOnce?: RunOnce;
  /** Returns the trace lines of a run in a fresh process; absent: there is no such run. */
  readonly fresh?: (loaded: LoadedScenario, seed: number) => Promise<Iterable<string>>;
}

export const traced: RunOnce = (loaded, seed) => tracing(undefined)(loaded, seed);

export const tracing =
  (progress: Progress | undefined): RunOnce =>
  ({ scenario, plugins }, seed) => {
    const { trace, digest } = simulate(scenario, {
      seed,
      trace: true,
      with: plugins.definitions,
      ...(progress?.seen === true ? { onEntry: runProgress(progress, scenario) } : {}),
    });
    progress?.clear();
    if (trace === undefined) throw new Error('a run that was asked for its trace has none');
    return { trace, digest };
  };

/** Makes the three runs of a seed. Returns the first difference, if there is one. */
export async function checkDeterminism(loaded: LoadedScenario, { seed: given, runOnce = traced, fresh }: CheckOptions) {
  const { scenario, file } = loaded;
  const seed = given ?? scenario.seed;
  const first = runOnce(loaded, seed);
  const second = runOnce(loaded, seed);
  const result = { scenario: scenario.name, file, seed, digest: first.digest, entries: first.trace.entries.length };
  const here = firstDifference(first.trace, entryLines(second.trace));
  if (here !== undefined) return { ...result, difference: { ...here, between: 'two runs in one process' } };
  const there = fresh === undefined ? undefined : firstDifference(first.trace, await fresh(loaded, seed));
  return { ...result, difference: there === undefined ? undefined : { ...there, between: 'a run here and one in a fresh process' } };
}

/** Returns the lines of the trace that a fresh process makes of a scenario, without the head. `input`: what was read from standard input. */
export async function freshTrace(
  { file, scenario: { name, rules }, plugins }: LoadedScenario,
  seed: number,
  cwd: string,
  input = '',
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'orchsim-'));
  const path = join(folder, 'trace.jsonl');
  try {
    await finished(
      [
        fileURLToPath(builtProgram('orchsim.js')),
        'run',
        file === STDIN ? '-' : file,
        '--scenario',
        name,
        '--seed',
        String(seed),
        ...(rules === undefined ? [] : ['--rules', rules]),
        '--trace',
        path,
        '--json',
        ...plugins.sources.words,
      ],
      cwd,
      input,
    );
    const lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(path) })) if (isEntryLine(line)) lines.push(line);
    return lines;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Exit codes of runs that took place, whether or not the scenario held. */
const MADE_A_RUN: ReadonlySet<number | null> = new Set([0, 1, 3]);

const finished = (args: readonly string[], cwd: string, input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['pipe', 'ignore', 'pipe'] });
    child.stdin.end(input);
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (MADE_A_RUN.has(code)) resolve();
      else reject(new Error(`a fresh process ended with ${code ?? 'a signal'}: ${said}`));
    });
  });
