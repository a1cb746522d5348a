/** The page's model of a run, computed once from its trace. Everything that is shown at a step is a function of the model and the step. */
import type { Entry, Trace } from '../../../lab/trace/index.ts';
import type { Outcome, RunData } from '../protocol.ts';
import { readActors, type Actors } from './actors.ts';
import { axisOf } from './axis.ts';
import { hasCard } from './cards.ts';
import { cacheLensOf } from './cache-lens.ts';
import { questionsOf } from './lesson.ts';
import { readLifespans, type Lifespans, faultSpansOf } from './lifespans.ts';
import { readReported, TONES, type Reported } from './log.ts';
import { readRecords, type Records } from './records.ts';
import { worldOf } from './world.ts';

export type Model = Readonly<ReturnType<typeof modelFrom>>;

/** A run that is still growing: new entries are read once, and a model can be created at any time. */
export type Growing = ReturnType<typeof growing>;

export function growing() {
  const prologue: Entry[] = [];
  const entries: Entry[] = [];
  const readers = { reported: readReported(), lifespans: readLifespans(), actors: readActors(), records: readRecords() };
  const all = Object.values(readers);
  const follow = (entry: Entry, step: number): void => {
    for (const reader of all) reader.follow(entry, step);
  };
  return {
    get length() {
      return entries.length;
    },
    /** Adds entries; those of the prologue come first. */
    add(more: readonly Entry[], before: readonly Entry[] = []): void {
      for (const entry of before) {
        prologue.push(entry);
        follow(entry, 0);
      }
      for (const entry of more) follow(entry, entries.push(entry));
    },
    model: (run: Omit<RunData, 'trace'>, rest: Omit<Trace, 'prologue' | 'entries'>): Model =>
      // A new trace object each time, because caches are keyed by the trace.
      modelFrom(
        { ...run, trace: { ...rest, prologue, entries } },
        {
          reported: readers.reported.soFar(),
          lifespans: readers.lifespans.soFar(),
          actors: readers.actors.soFar(),
          records: readers.records.soFar(),
        },
      ),
  };
}

export function modelOf({ trace: { prologue, entries, ...rest }, ...run }: RunData): Model {
  const whole = growing();
  whole.add(entries, prologue);
  return whole.model(run, rest);
}

export const withOutcome = (of: Model, outcome: Outcome): Model => {
  const run = { ...of.run, ...outcome };
  return { ...of, run, broken: brokenIn(run, of.reported) };
};

const brokenIn = ({ failures }: Pick<RunData, 'failures'>, reported: Reported): readonly number[] =>
  ascending(failures.length > 0 ? failures.map(({ step }) => step) : stepsIn(reported, ['broken']));

interface Known {
  readonly reported: Reported;
  readonly lifespans: Lifespans;
  readonly actors: Actors;
  readonly records: Records;
}

function modelFrom(run: RunData, { reported, lifespans, actors, records }: Known) {
  const { trace } = run;
  const world = worldOf(trace, records);
  return {
    run,
    trace,
    length: trace.entries.length,
    reported,
    axis: axisOf(trace, reported.steps, endOf(run)),
    lifespans,
    /** Processes that decide, without the node agents. */
    deciders: actors.all.filter(({ node }) => node === undefined),
    /** The agent of each node. */
    agents: new Map(actors.all.flatMap((actor) => (actor.node === undefined ? [] : [[actor.node, actor] as const]))),
    decisions: actors.decisions,
    reconciles: actors.reconciles,
    faults: faultSpansOf(trace, lifespans),
    /** Steps of failures; of writes, without heartbeats and events; with a note, without repetition. */
    broken: brokenIn(run, reported),
    writes: stepsIn(reported, ['changed', 'created', 'removed']),
    narrationSteps: ascending(run.lesson.narrationSteps.map(({ step }) => step)),
    questions: questionsOf(run.lesson.narrationSteps),
    /** Whether volumes were ever attached. */
    hasVolumes: trace.entries.some((entry) => entry.type === 'write' && entry.change.kind === 'VolumeAttachment'),
    fullestCard: fullestCardIn(trace),
    /** Has a current step; each user moves it before reading. */
    world,
    cacheLens: cacheLensOf(trace, world, lifespans.podGrid.atOnce),
  };
}

/** What the cards of the run hold at most: a row of slots or ordinals, one or two lines, or long content. */
function fullestCardIn({ prologue, entries }: Trace): 'row' | 'lines' | 'long' {
  let fullest: 'row' | 'lines' = 'row';
  for (const list of [prologue, entries])
    for (const entry of list) {
      if (entry.type !== 'write') continue;
      const { kind, object } = entry.change;
      if (LONG.has(kind)) return 'long';
      if (fullest === 'row' && !ROWS.has(kind) && hasCard(object)) fullest = 'lines';
    }
  return fullest;
}

/** Kinds whose cards have a row and a note. */
const ROWS: ReadonlySet<string> = new Set(['Job', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Service']);
/** Kinds with long cards: a schedule with its next run, a target with its bounds, sets by revision. */
const LONG: ReadonlySet<string> = new Set([
  'CronJob',
  'Deployment',
  'HorizontalPodAutoscaler',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'ResourceQuota',
]);

/** The end of the run, or of the shown part. */
function endOf({ trace: { startAt, entries }, window: shown, lengthMs }: RunData): number {
  const cut = shown !== undefined && shown.from + entries.length < shown.of;
  return cut ? (entries.at(-1)?.at ?? startAt) : startAt + lengthMs;
}

const stepsIn = ({ steps, tones }: Reported, names: readonly string[]): readonly number[] => {
  const wanted = new Set(names);
  return [...steps].filter((_, at) => wanted.has(TONES[tones[at] ?? 0] ?? ''));
};

const ascending = (steps: readonly number[]): readonly number[] => [...new Set(steps)].sort((a, b) => a - b);
