/** The statistics of a search, which can be merged: the parts of a search together have the same statistics as the whole. */
import type { PointChoice } from '../scenario/index.ts';
import { sortOf, whoseOf } from '../choices/index.ts';
import type { Outcome } from './reproduction.ts';
import { causeText, type Cause } from './cause.ts';
import { isBroken } from './judgement.ts';
import { addMoments, type Moment, type MomentsTried, recordMoments } from './moments-tried.ts';

export interface Catch {
  readonly cause: Cause;
  readonly choices: readonly PointChoice[];
  /** The run of these choices: the shortest with this cause, the first of equally short ones. */
  readonly run: number;
  /** The first run with this failure, and the number of runs with it. */
  readonly firstRun: number;
  readonly seen: number;
  /** Other runs with this failure, the shortest first: there may be another cause behind the first. */
  readonly others?: readonly Sample[];
}

/** A run with a failure. */
export interface Sample {
  readonly run: number;
  readonly choices: readonly PointChoice[];
}

/** The number of other runs that are kept of a failure. */
const MOST_OTHERS = 48;

/** A fault and its target: the number of injections, and how many of those runs reached something new, broke something, or did neither. */
export interface Tally {
  readonly injectedFault: string;
  /** The target: a controller; for watch events, the process and the kind. */
  readonly whom: string;
  readonly times: number;
  readonly news: number;
  readonly broke: number;
  readonly nothing: number;
}

/** Plain data. Runs with numbers below 1 replay the corpus; run 0 is the scenario without faults. */
export interface Statistics {
  readonly runs: number;
  readonly replayed: number;
  /** Runs that ended early because a step failed. */
  readonly stuck: number;
  /** Distinct reasons of controllers, each with the run that reached it first. */
  readonly reached: ReadonlyMap<string, number>;
  /** Choices of the runs that reached something new and broke nothing, by run. */
  readonly kept: ReadonlyMap<number, readonly PointChoice[]>;
  readonly tried: ReadonlyMap<string, Tally>;
  readonly catches: ReadonlyMap<string, Catch>;
  readonly moments: MomentsTried;
  /** Invariants that the scenario names and no run has exercised. */
  readonly idle: ReadonlySet<string>;
}

export function targetOf(at: string): string {
  const { sort, process, who } = whoseOf(at);
  if (sort === 'see') return `${process} sees ${who}`;
  return sort === 'actor' && who === 'sees' ? at.slice('actor '.length) : who;
}

/** Creates statistics that contain only the reasons reached without faults. */
export function openStatistics(reached: Iterable<string>, idle: Iterable<string>, moments: readonly Moment[] = []) {
  const recorded = recordMoments(moments);
  const totals = {
    runs: 0,
    replayed: 0,
    stuck: 0,
    reached: new Map<string, number>([...reached].map((reason) => [reason, 0])),
    kept: new Map<number, readonly PointChoice[]>(),
    tried: new Map<string, Tally>(),
    catches: new Map<string, Catch>(),
    moments: recorded.tried,
    idle: new Set(idle),
  };
  return Object.assign(totals, {
    /** Adds an outcome; `grew`: the search keeps the run to mutate it. Returns whether it reached something new. */
    enter(outcome: Outcome, grew: boolean): boolean {
      const { number, taken, broken } = outcome;
      // Every part replays the corpus, so its outcomes do not count: parts can then be merged.
      const counts = number > 0;
      if (counts) totals.runs++;
      else totals.replayed++;
      if (counts && outcome.stuck) totals.stuck++;
      for (const name of outcome.exercised) totals.idle.delete(name);
      const before = totals.reached.size;
      for (const reason of outcome.reached) if (!totals.reached.has(reason)) totals.reached.set(reason, number);
      const isNew = totals.reached.size > before;
      if (isNew && !isBroken(broken)) totals.kept.set(number, taken);
      if (counts) recorded.note(taken);
      if (counts) for (const choice of taken) tally(totals.tried, choice, isBroken(broken) ? 'broke' : grew ? 'news' : 'nothing');
      const [cause] = broken;
      if (cause !== undefined) caught(totals.catches, { cause, choices: taken, run: number, firstRun: number, seen: counts ? 1 : 0 });
      return isNew;
    },
  });
}

export type OpenStatistics = ReturnType<typeof openStatistics>;

const NONE = { times: 0, news: 0, broke: 0, nothing: 0 };

function tally(tried: Map<string, Tally>, { at, injectedFault }: PointChoice, came: 'news' | 'broke' | 'nothing'): void {
  // The target of `slow` is its actor, and that of a pod's start its node.
  const whom = sortOf(at) === 'start' ? 'containers' : targetOf(at);
  const name = `${injectedFault.do} ${whom}`;
  const { times, ...rest } = tried.get(name) ?? { injectedFault: injectedFault.do, whom, ...NONE };
  tried.set(name, { ...rest, times: times + 1, [came]: rest[came] + 1 });
}

function caught(catches: Map<string, Catch>, one: Catch): void {
  const text = catchName(one);
  const known = catches.get(text);
  catches.set(text, known === undefined ? one : both(known, one));
}

/** The name of a failure in statistics: what broke in built-in code alone is kept apart. */
export const catchName = ({ cause }: Pick<Catch, 'cause'>): string =>
  `${cause.elsewhere === true ? 'elsewhere | ' : ''}${causeText(cause)}`;

const bySize = (a: Sample, b: Sample): number => a.choices.length - b.choices.length || a.run - b.run;

function both(a: Catch, b: Catch): Catch {
  const [short, long] = bySize(a, b) <= 0 ? [a, b] : [b, a];
  const others = [{ run: long.run, choices: long.choices }, ...(a.others ?? []), ...(b.others ?? [])].sort(bySize);
  return {
    ...short,
    firstRun: Math.min(a.firstRun, b.firstRun),
    seen: a.seen + b.seen,
    // All parts replay the same corpus, so a run may come twice.
    others: others.filter(({ run }, at) => run !== short.run && run !== others[at - 1]?.run).slice(0, MOST_OTHERS),
  };
}

/** Merges the statistics of the parts of a search. All parts have replayed the same corpus, which counts once. */
export function addUp(parts: readonly Statistics[]): Statistics {
  const reached = new Map<string, number>();
  const runsOf = new Map<number, readonly PointChoice[]>();
  const tried = new Map<string, Tally>();
  const catches = new Map<string, Catch>();
  for (const part of parts) {
    for (const [reason, run] of part.reached) reached.set(reason, Math.min(run, reached.get(reason) ?? run));
    for (const [run, choices] of part.kept) runsOf.set(run, choices);
    for (const [name, one] of part.tried) {
      const { times, news, broke, nothing } = tried.get(name) ?? NONE;
      tried.set(name, {
        ...one,
        times: times + one.times,
        news: news + one.news,
        broke: broke + one.broke,
        nothing: nothing + one.nothing,
      });
    }
    for (const one of part.catches.values()) caught(catches, one);
  }
  const first = new Set(reached.values());
  const idle = parts.map((part) => part.idle);
  return {
    runs: parts.reduce((sum, { runs }) => sum + runs, 0),
    replayed: parts[0]?.replayed ?? 0,
    stuck: parts.reduce((sum, { stuck }) => sum + stuck, 0),
    reached: new Map([...reached].sort(([, a], [, b]) => a - b)),
    kept: new Map([...runsOf].filter(([run]) => first.has(run)).sort(([a], [b]) => a - b)),
    tried,
    moments: addMoments(parts.map(({ moments }) => moments)),
    catches: new Map([...catches].sort(([, a], [, b]) => a.firstRun - b.firstRun)),
    idle: new Set([...(idle[0] ?? [])].filter((name) => idle.every((names) => names.has(name)))),
  };
}
