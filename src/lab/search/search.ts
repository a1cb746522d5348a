/**
 * The state of a search. It hands out rounds of runs and takes their outcomes in order of their numbers, so the result does not depend on
 * which threads make the runs, or how many. Runs come in strands of a fixed length, and a run mutates only runs that earlier rounds of its
 * strand have kept, so strands can be made in any order and place.
 */
import { faultKinds, replaying } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { attempt, type Outcome } from './reproduction.ts';
import { aimsOf } from './aims.ts';
import type { Making } from './cause.ts';
import { fractionOf, Corpus, swarming, type Draw, type Field } from './swarm.ts';
import { openStatistics, type Statistics } from './statistics.ts';
import type { Baseline } from './baseline.ts';
import { isBroken } from './judgement.ts';
import { momentCoverage, type MomentCoverage } from './moments-tried.ts';

/** The number of runs in a round. All of them mutate runs of earlier rounds. */
export const ROUND = 32;
/** The number of runs in a strand: whole rounds. */
const STRAND = 8 * ROUND;
/** Of so many runs in a row one is swarm testing, at first and later; the others are aimed while there are aims. */
const SWARM_EVERY = { early: 4, late: 2 };
const EARLY = 2 * ROUND;
/** Returns the aim of a run, which does not depend on what other runs have found; undefined: it is swarm testing. */
function aimIn(number: number): number | undefined {
  const every = number <= EARLY ? SWARM_EVERY.early : SWARM_EVERY.late;
  if (number % every === 0) return undefined;
  const early = Math.min(number, EARLY);
  const late = number - early;
  return number - Math.floor(early / SWARM_EVERY.early) - Math.floor(late / SWARM_EVERY.late) - 1;
}
/** The share of runs that mutate a kept run. */
const GROWN = 0.5;

/** The data that a run needs, plain. */
export interface Ground {
  readonly scenario: Scenario;
  readonly field: Field;
}

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

export interface SearchPlan {
  /** The same seed makes the same runs. Default 1. */
  readonly seed?: number | undefined;
  /** Names of faults. Default: all that end by themselves. */
  readonly faults?: readonly string[] | undefined;
  /** Default: the whole search. */
  readonly shard?: Shard | undefined;
  /** Choices of runs that are replayed first, and then mutated. */
  readonly corpus?: readonly (readonly PointChoice[])[] | undefined;
  /** The number of runs in a strand, in whole rounds; runs mutate runs of their strand only. Default 256. */
  readonly strand?: number | undefined;
}

/** Returns the names of the faults that a search uses by default: those that exist, and end by themselves. */
export const defaultFaults = (): readonly string[] => faultKinds.filter(({ onRequest }) => onRequest === undefined).map(({ name }) => name);

/** Begins a search, which hands out runs and takes their outcomes. */
export function beginSearch(
  { quiescence, field, reached, idle, moments, mine }: Baseline,
  { seed = 1, faults = defaultFaults(), shard = { index: 1, of: 1 }, corpus: given = [], strand: length = STRAND }: SearchPlan = {},
) {
  const ground: Ground = { scenario: quiescence.scenario, field: { ...field, seed, faults } };
  const open = openStatistics(reached, idle, moments);
  const statistics: Statistics = open;
  const { singles, pairs } = aimsOf(field.history, faults);
  const aims = singles.length + pairs.length;
  const replayed: Outcome[] = [];
  let toReplay: readonly Draw[] = given.map((replay, at) => ({ number: at - given.length, replay }));
  let strand = shard.index - 1;
  let [begun, sinceNewReason, at] = [0, 0, 0];
  let corpus = beginStrand(reached, replayed);
  const takeOne = (outcome: Outcome): void => {
    // A run with a failure is not mutated, because its mutations fail in the same way.
    const grew = !isBroken(outcome.broken) && corpus.offer(outcome.taken, outcome.reached);
    const isNew = open.enter(outcome, grew);
    if (outcome.number <= 0) replayed.push(outcome);
    else sinceNewReason = isNew && !isBroken(outcome.broken) ? 0 : sinceNewReason + 1;
  };
  /** Returns the number before the next run's. */
  const before = (): number => (begun === length ? (strand + shard.of) * length : strand * length + begun);
  return {
    ground,
    statistics,
    /** How much of what was possible has been tried. */
    coverage: (): MomentCoverage => momentCoverage(moments, statistics.moments, faults, mine),
    /** The number of the last run that was handed out. A part of a search skips numbers. */
    get at(): number {
      return at;
    },
    /** The number of its runs since one reached a new reason. */
    get sinceNewReason(): number {
      return sinceNewReason;
    },
    /** Whether the next run has a number up to this one. */
    within: (runs: number): boolean => toReplay.length > 0 || before() < runs,
    /** Returns the next runs; with `runs`, none with a higher number. */
    round(runs = Infinity): readonly Draw[] {
      if (toReplay.length > 0) {
        const some = toReplay.slice(0, ROUND);
        toReplay = toReplay.slice(ROUND);
        return some;
      }
      if (begun === length) {
        strand += shard.of;
        begun = 0;
        corpus = beginStrand(reached, replayed);
      }
      const first = before() + 1;
      const many = Math.min(ROUND, runs - before());
      begun += ROUND;
      at = first + many - 1;
      return Array.from({ length: many }, (_, nth): Draw => {
        const number = first + nth;
        const aim = aimIn(number);
        if (aim !== undefined && aim < aims) return { number, aim };
        const parent = fractionOf(seed, number, 'grows') < GROWN ? corpus.pick() : undefined;
        return parent === undefined ? { number } : { number, parent };
      });
    },
    /** Takes the outcomes of a round, in order of their numbers. */
    take: (outcomes: readonly Outcome[]): void => outcomes.forEach(takeOne),
  };
}

export type Search = ReturnType<typeof beginSearch>;

/** Creates the corpus of a strand, with the reasons known before its first run. */
function beginStrand(reached: Iterable<string>, replayed: readonly Outcome[]): Corpus {
  const corpus = new Corpus();
  corpus.offer([], reached);
  for (const each of replayed) if (!isBroken(each.broken)) corpus.offer(each.taken, each.reached);
  return corpus;
}

/** Returns the choices of a draw that are known beforehand; undefined: they are drawn as the run goes. */
function choicesOf({ history, faults }: Field, { replay, aim }: Draw): readonly PointChoice[] | undefined {
  if (replay !== undefined || aim === undefined) return replay;
  const { singles, pairs } = aimsOf(history, faults);
  const single = singles[aim];
  return single === undefined ? pairs[aim - singles.length] : [single];
}

/** Makes a run. */
export function make({ scenario, field }: Ground, draw: Draw, making: Making): Outcome {
  const choices = choicesOf(field, draw);
  const chooser = choices === undefined ? swarming(field, draw, scenario.startAt) : replaying(choices);
  const { run, taken, broken, reached, stuck } = attempt(scenario, making, chooser);
  const exercised = run.invariants.filter(({ exercised }) => exercised > 0).map(({ name }) => name);
  return { number: draw.number, taken, broken, reached: [...reached], exercised, stuck };
}
