/** What the page knows of a run, made once from its trace. All that is shown at a step is a function of this and the step. */
import type { Entry, Trace } from '../../../lab/trace/index.ts';
import type { RunData } from '../protocol.ts';
import { readActors, type Actor, type Actors } from './actors.ts';
import { axisOf, type Axis } from './axis.ts';
import { cacheLensOf, type CacheLens } from './cache-lens.ts';
import { putsOf, type Put } from './lesson.ts';
import { readLifespans, type Lifespans } from './lifespans.ts';
import { faultSpansOf, type FaultSpan } from './spans.ts';
import { readReported, TONES, type Reported } from './log.ts';
import { readRecords, worldOf, type PageWorld, type Records } from './world.ts';

export interface Model {
  readonly run: RunData;
  readonly trace: Trace;
  /** The number of the last step. */
  readonly length: number;
  readonly reported: Reported;
  readonly axis: Axis;
  readonly lifespans: Lifespans;
  /** Processes that decide, without the nodes' agents. */
  readonly deciders: readonly Actor[];
  /** The agent of each node. */
  readonly agents: ReadonlyMap<string, Actor>;
  readonly thoughts: Actors['thoughts'];
  readonly faults: readonly FaultSpan[];
  /** Steps at which something broke. */
  readonly broken: readonly number[];
  /** Steps that wrote, heartbeats and events left out. */
  readonly writes: readonly number[];
  /** Steps that have a note, each once. */
  readonly narrationSteps: readonly number[];
  /** The lesson's questions, in their order. */
  readonly puts: readonly Put[];
  /** Whether volumes were ever attached. */
  readonly hasVolumes: boolean;
  /** There ever is an object whose card has as much to say as fits. */
  readonly hasFullCards: boolean;
  /** Moves; whoever reads it moves it first. */
  readonly world: PageWorld;
  readonly cacheLens: CacheLens;
}

/** A run as it comes: what has come is read once, and a model of it can be had at any time. */
export interface Growing {
  /** Entries so far. */
  readonly length: number;
  /** The next ones; those before the start come first. */
  add(entries: readonly Entry[], before?: readonly Entry[]): void;
  /** What is known of the run by now; its entries are those that were added. */
  model(run: Omit<RunData, 'trace'>, rest: Omit<Trace, 'prologue' | 'entries'>): Model;
}

/** A run of which nothing has come yet. */
export function growing(): Growing {
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
    add(more, before = []) {
      for (const entry of before) {
        prologue.push(entry);
        follow(entry, 0);
      }
      for (const entry of more) follow(entry, entries.push(entry));
    },
    model: (run, rest) =>
      // Another trace each time: what is derived from one is kept by it.
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

/** The model of a run that is there as a whole. */
export function modelOf({ trace: { prologue, entries, ...rest }, ...run }: RunData): Model {
  const whole = growing();
  whole.add(entries, prologue);
  return whole.model(run, rest);
}

interface Known {
  readonly reported: Reported;
  readonly lifespans: Lifespans;
  readonly actors: Actors;
  readonly records: Records;
}

function modelFrom(run: RunData, { reported, lifespans, actors, records }: Known): Model {
  const { trace } = run;
  const world = worldOf(trace, records);
  return {
    run,
    trace,
    length: trace.entries.length,
    reported,
    axis: axisOf(trace, reported.steps, endOf(run)),
    lifespans,
    deciders: actors.all.filter(({ node }) => node === undefined),
    agents: new Map(actors.all.flatMap((actor) => (actor.node === undefined ? [] : [[actor.node, actor] as const]))),
    thoughts: actors.thoughts,
    faults: faultSpansOf(trace, lifespans),
    broken: ascending([...run.failures.map(({ step }) => step), ...stepsIn(reported, ['broken'])]),
    writes: stepsIn(reported, ['changed', 'created', 'removed']),
    narrationSteps: ascending(run.lesson.narrationSteps.map(({ step }) => step)),
    puts: putsOf(run.lesson.narrationSteps),
    hasVolumes: trace.entries.some((entry) => entry.type === 'write' && entry.change.kind === 'VolumeAttachment'),
    hasFullCards: [...trace.prologue, ...trace.entries].some((entry) => entry.type === 'write' && FULL.has(entry.change.kind)),
    world,
    cacheLens: cacheLensOf(trace, world),
  };
}

/** A schedule with its next run, a target with its bounds; sets by revision. */
const FULL: ReadonlySet<string> = new Set(['CronJob', 'Deployment', 'HorizontalPodAutoscaler', 'PersistentVolumeClaim']);

/** Where the run ends, or the stretch of it that is shown. */
function endOf({ trace: { startAt, entries }, window: shown, lengthMs }: RunData): number {
  const cut = shown !== undefined && shown.from + entries.length < shown.of;
  return cut ? (entries.at(-1)?.at ?? startAt) : startAt + lengthMs;
}

const stepsIn = ({ steps, tones }: Reported, names: readonly string[]): readonly number[] => {
  const wanted = new Set(names);
  return [...steps].filter((_, at) => wanted.has(TONES[tones[at] ?? 0] ?? ''));
};

const ascending = (steps: readonly number[]): readonly number[] => [...new Set(steps)].sort((a, b) => a - b);
