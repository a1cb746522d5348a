/** Handles the page's requests as a function on plain data, without a worker, so that tests can call it in Node. */
import { hasWriteBarrier } from '../../../engine/index.ts';
import { resolveGates } from '../../../apiserver/machinery/index.ts';
import { tidyYaml } from '../../../schema/yaml/index.ts';
import { assistAt, formatProblem, type Problem, type Scenario } from '../../../lab/scenario/index.ts';
import { rehearse, replayTo, simulate, stage, type Replay, type Run, type SimulateOptions } from '../../../lab/simulation/index.ts';
import type { Cluster } from '../../../controlplane/cluster.ts';
import { replayMoments, type Replays } from '../../../lab/moments/index.ts';
import { typedChoices, waitingAt } from '../../../lab/order/index.ts';
import type { ObjectName, Trace } from '../../../lab/trace/index.ts';
import { readScenarios, vocabulary } from '../../../lab/vocabulary.ts';
import { situationOf, waitingText, blockersOf } from '../../../lab/blockers/index.ts';
import { LATER_MS } from '../protocol.ts';
import type { Answer, Outcome, PageProblem, Part, Peek, Question, RunData, Second } from '../protocol.ts';
import { LONGEST, MOST, runDataOf, stretchFor, stretchFrom, type Span } from '../run-data.ts';
import { sendAhead } from './ahead.ts';
import { runBeside } from './second.ts';

export type Answering = Generator<undefined, Answer, boolean | undefined>;

/** Entries between two places where a run can be interrupted: some thirty milliseconds. */
const SLICE = 256;

export function createBench() {
  let last: Traced | undefined;
  const answering = function* (question: Question, send?: (part: Part) => void): Answering {
    if (question.ask === 'check') {
      const checked = readOne(question.scenario);
      return { is: 'problems', problems: 'problems' in checked ? checked.problems.map(problemText) : [] };
    }
    if (question.ask === 'assist')
      return { is: 'assistance', assistance: assistAt(question.text, question.line, question.col, vocabulary()) };
    if (question.ask === 'tidy') {
      const text = tidyYaml(question.text);
      return { is: 'tidied', ...(text === undefined ? {} : { text }) };
    }
    if (question.ask === 'stop') return { is: 'error', message: 'nothing runs' };
    if (question.ask !== 'run') return last === undefined ? { is: 'error', message: 'nothing has run yet' } : answerAbout(last, question);
    const read = readOne(question.scenario);
    if ('problems' in read) return { is: 'problems', problems: read.problems.map(problemText) };
    const { scenario } = read;
    const seed = question.seed ?? scenario.seed;
    const ahead = send === undefined ? undefined : sendAhead(scenario, seed, send);
    // The suggestions of a lesson run after its first picture.
    const { run, stopped } = yield* inSlices(scenario, { trace: true, seed, tries: false, ...ahead });
    if (run.trace === undefined) return { is: 'error', message: 'the run kept no trace' };
    const stretch = stretchFor(run.trace.entries.length, run.failures[0]?.traceStep, MOST);
    last = { run, trace: run.trace, stretch };
    const data: RunData = { ...runDataOf(run, run.trace, stretch), gates: gatesOf(scenario), ...(stopped ? STOPPED : {}) };
    return ahead === undefined || ahead.sent === 0 || (stretch?.from ?? 0) > 0
      ? { is: 'run', run: data }
      : { is: 'end', ...ahead.rest(data) };
  };
  const guarded = function* (question: Question, send?: (part: Part) => void): Answering {
    try {
      return yield* answering(question, send);
    } catch (error) {
      return { is: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  return {
    /** Handles a request. `send` receives parts of a long run; without it there are none. */
    answer(question: Question, send?: (part: Part) => void): Answer {
      const slices = guarded(question, send);
      for (;;) {
        const { done, value } = slices.next();
        if (done === true) return value;
      }
    },
    /** The same in slices: a run can be stopped between two of them, by passing true. */
    answering: guarded,
  };
}

/** The answer to a question about the last run. */
function answerAbout(
  of: Traced,
  question: Extract<Question, { readonly ask: 'peek' | 'waiting' | 'window' | 'gate' | 'rehearse' | 'second' }>,
): Answer {
  switch (question.ask) {
    case 'peek':
      return { is: 'peek', peek: peekInto(of, question) };
    case 'waiting':
      return waitingIn(of, question.step);
    case 'window':
      of.stretch = stretchFrom(of.trace, question.from);
      return { is: 'run', run: { ...runDataOf(of.run, of.trace, of.stretch), gates: gatesOf(of.run.scenario) } };
    case 'gate':
      return { is: 'gate', differs: differsBy(of.run, question.gate) };
    case 'rehearse':
      return { is: 'rehearsed', ...rehearsed(of) };
    case 'second':
      return besideOf(of, question.how);
  }
}

/** The second run, if both are short enough for a page. */
function besideOf(of: Traced, how: Second): Answer {
  const { run: first, trace: before } = of;
  const tooLong = { is: 'refused', problems: ['that run is too long for a page with two runs'] } as const;
  if (before.entries.length > LONGEST) return tooLong;
  const beside = runBeside(first, before, how, replaysOf(of));
  if ('problems' in beside) return { is: 'refused', problems: beside.problems };
  if (beside.trace.entries.length > LONGEST) return tooLong;
  const { run, trace, ...rest } = beside;
  return { is: 'second', run: runDataOf(run, trace, undefined), ...rest };
}

const STOPPED = { verdict: 'held', digest: '', failures: [], stopped: true } as const satisfies Partial<RunData>;

function* inSlices(
  scenario: Scenario,
  options: SimulateOptions,
): Generator<undefined, { readonly run: Run; readonly stopped: boolean }, boolean | undefined> {
  const staged = stage(scenario, options);
  for (;;) {
    staged.pauseAt(staged.entries() + SLICE);
    const { done, value } = staged.passing.next();
    if (done === true) return { run: staged.end(value), stopped: false };
    if ((yield) === true) return { run: staged.end(false), stopped: true };
  }
}

/** Whether a run has another digest if a gate is changed; a scenario that the gate makes invalid differs too. */
function differsBy({ scenario, seed, digest }: Run, gate: string): boolean {
  const on = gatesOf(scenario)[gate] === true;
  const changed = { ...scenario, featureGates: { ...scenario.featureGates, [gate]: !on } };
  return simulate(changed, { seed, tries: false }).digest !== digest;
}

/** Runs the suggestions of a lesson. If one of them fails, the run is broken. */
function rehearsed(of: Traced): Outcome {
  const failures = of.isRehearsed === true || of.run.failures.length > 0 ? [] : rehearse(of.run);
  of.isRehearsed = true;
  if (failures.length > 0) of.run = { ...of.run, failures, verdict: 'broken' };
  const { verdict, failures: all, invariants } = runDataOf(of.run, of.trace, of.stretch);
  return { verdict, failures: all, invariants };
}

const gatesOf = ({ featureGates }: Scenario): Readonly<Record<string, boolean>> => ({ ...resolveGates(featureGates).gates });

interface Traced {
  run: Run;
  readonly trace: Trace;
  /** The part that is shown; undefined: all. */
  stretch: Span | undefined;
  /** Whether the suggestions of its lesson have run. */
  isRehearsed?: true;
  /** Replays of the run: in the build that can go back. */
  replays?: Replays;
  /** In another one, as in tests: a replay up to the last requested step, which later requests continue. */
  replay?: Replay;
}

/** Returns the replays of a run; undefined: this build cannot go back. */
function replaysOf(of: Traced): Replays | undefined {
  if (!hasWriteBarrier) return undefined;
  const { scenario, seed } = of.run;
  return (of.replays ??= replayMoments(scenario, seed, { trace: true }));
}

type Given = Extract<Question, { readonly ask: 'run' }>['scenario'];

function readOne({
  file,
  text,
  scenario: name,
  files = {},
}: Given): { readonly scenario: Scenario } | { readonly problems: readonly Problem[] } {
  const readFile = (path: string): string | undefined => (Object.hasOwn(files, path) ? files[path] : undefined);
  // A dump is a file, or a folder of files.
  const readDump = (path: string) =>
    Object.entries(files).flatMap(([name, held]) => (name === path || name.startsWith(`${path}/`) ? [{ file: name, text: held }] : []));
  const read = readScenarios(text, { file, readFile, readDump, plain: 'manifests' });
  if ('problems' in read) return read;
  const scenario = read.scenarios.find((one) => name === undefined || one.name === name);
  if (scenario !== undefined) return { scenario };
  const expected = name === undefined ? 'a scenario' : `a scenario named ${name}`;
  return { problems: [{ file, line: 1, col: 1, path: '', expected, found: 'none' }] };
}

const problemText = (problem: Problem): PageProblem => ({ message: formatProblem(problem), line: problem.line, col: problem.col });

/** Pending events at a step, from a replay that ends a little later. */
function waitingIn({ run, stretch }: Traced, step: number): Answer {
  const waiting = waitingAt(run.scenario, run.seed, step + (stretch?.from ?? 0)).map(({ first, later, ...each }) => ({
    ...each,
    ...(first === undefined ? {} : { first: first.length === 0 ? '' : typedChoices(first) }),
    ...(later === undefined ? {} : { later: typedChoices(later(LATER_MS)) }),
  }));
  return { is: 'waiting', waiting };
}

/** The cluster of the run at a step, with its pending events. */
function clusterAt(of: Traced, step: number): Cluster {
  const replays = replaysOf(of);
  if (replays !== undefined) return replays.at(step).cluster;
  if (of.replay === undefined || of.replay.step > step) of.replay = replayTo(of.run.scenario, of.run.seed, step);
  else of.replay.goOn(step);
  return of.replay.cluster;
}

function peekInto(of: Traced, { step: shown, about }: { readonly step: number; readonly about?: ObjectName }): Peek {
  const { trace } = of;
  const step = shown + (of.stretch?.from ?? 0);
  const cluster = clusterAt(of, step);
  const soFar: Trace = { ...trace, entries: trace.entries.slice(0, step) };
  const situation = situationOf(cluster, soFar, trace.entries[step - 1]?.at ?? trace.startAt);
  return {
    step: shown,
    introspection: situation.introspection,
    ...(about === undefined ? {} : { about }),
    waits: about === undefined ? [] : waitingText(blockersOf(situation, about)),
  };
}
