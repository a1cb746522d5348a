/**
 * A search as a conversation: it hands out rounds of runs and takes their outcomes in order of their numbers, so that whoever makes the
 * runs, here or on threads, and how many of them at once, shows in nothing but the time. Its runs come in strands of a fixed length, and a
 * run draws from what rounds before it have kept in its own strand: so strands can be made anywhere, in any order, by themselves.
 */
import { faultKinds, replaying } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { attempt, type Making, type Outcome } from './run.ts';
import { fractionOf } from './chance.ts';
import { createCorpus, type Corpus } from './corpus.ts';
import { openStatistics, type Statistics } from './statistics.ts';
import type { Baseline } from './baseline.ts';
import { swarming, type Draw, type Field } from './swarm.ts';
import { accessors } from '../../engine/index.ts';

const withAtSinceNews = accessors('at', 'sinceNews');

/** Runs a round. All of them draw from what the rounds before it have kept. */
export const ROUND = 32;
/** Runs a strand: whole rounds. */
const STRAND = 8 * ROUND;
/** Of the runs, as much grows from a kept one. */
const GROWN = 0.5;

/** All that a run needs, plain data. */
export interface Ground {
  readonly scenario: Scenario;
  readonly field: Field;
}

/** A part of a search: the strands whose number leaves `index` - 1 when divided by `of`. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** How a search begins; everything has a default. */
export interface SearchPlan {
  /** The same seed looks at the same runs. Default 1. */
  readonly seed?: number | undefined;
  /** Kinds of fault by name; default: all that mend by themselves. */
  readonly faults?: readonly string[] | undefined;
  /** Default: all of it. */
  readonly shard?: Shard | undefined;
  /** Choices of runs that are made again first, and grown from. */
  readonly corpus?: readonly (readonly PointChoice[])[] | undefined;
  /** Runs a strand, whole rounds: what grows from one another. Default 256. */
  readonly strand?: number | undefined;
}

export interface Search {
  readonly ground: Ground;
  /** The next runs; of a search of so many runs, none with a number above that. */
  round(runs?: number): readonly Draw[];
  /** What came of them, in order of their numbers. */
  take(outcomes: readonly Outcome[]): void;
  /** The number of the last run of the search that has been handed out: parts of a search leave numbers out. */
  readonly at: number;
  /** Whether the next runs have numbers up to this: a search of so many runs goes on. */
  within(runs: number): boolean;
  /** Runs of its own since one reached something new. */
  readonly sinceNews: number;
  readonly statistics: Statistics;
}

/** Faults that mend by themselves: what a search does unless it is told otherwise. */
export const defaultFaults = (): readonly string[] => faultKinds.filter(({ lasts }) => lasts !== true).map(({ name }) => name);

/** Begins a search. */
export function beginSearch(
  { quiescence, field, reached, idle }: Baseline,
  { seed = 1, faults = defaultFaults(), shard = { index: 1, of: 1 }, corpus: given = [], strand: length = STRAND }: SearchPlan = {},
): Search {
  const ground: Ground = { scenario: quiescence.scenario, field: { ...field, seed, faults } };
  const statistics = openStatistics(reached, idle);
  const replayed: Outcome[] = [];
  let toReplay: readonly Draw[] = given.map((replay, at) => ({ number: at - given.length, replay }));
  let strand = shard.index - 1;
  let [begun, sinceNews, at] = [0, 0, 0];
  let corpus = beginStrand(reached, replayed);
  const takeOne = (outcome: Outcome): void => {
    // What broke is told; what is grown from it breaks again, and shows nothing else.
    const grew = outcome.broken.length === 0 && corpus.offer(outcome.taken, outcome.reached);
    const isNew = statistics.enter(outcome, grew);
    if (outcome.number <= 0) replayed.push(outcome);
    else sinceNews = isNew && outcome.broken.length === 0 ? 0 : sinceNews + 1;
  };
  /** The number before the next run's. */
  const before = (): number => (begun === length ? (strand + shard.of) * length : strand * length + begun);
  return withAtSinceNews(
    {
      at: () => at,
      sinceNews: () => sinceNews,
    },
    {
      ground,
      statistics,
      within: (runs) => toReplay.length > 0 || before() < runs,
      round(runs = Infinity) {
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
          const parent = fractionOf(seed, number, 'grows') < GROWN ? corpus.pick() : undefined;
          return parent === undefined ? { number } : { number, parent };
        });
      },
      take: (outcomes) => outcomes.forEach(takeOne),
    },
  );
}

/** What a strand grows from: what is known before the first. */
function beginStrand(reached: Iterable<string>, replayed: readonly Outcome[]): Corpus {
  const corpus = createCorpus();
  corpus.offer([], reached);
  for (const each of replayed) if (each.broken.length === 0) corpus.offer(each.taken, each.reached);
  return corpus;
}

/** Makes one run of a search. */
export function make({ scenario, field }: Ground, { replay, ...draw }: Draw, making: Making): Outcome {
  const chooser = replay === undefined ? swarming(field, draw, scenario.startAt) : replaying(replay);
  const { run, taken, broken, reached, stuck } = attempt(scenario, making, chooser);
  const exercised = run.invariants.filter(({ exercised }) => exercised > 0).map(({ name }) => name);
  return { number: draw.number, taken, broken, reached: [...reached], exercised, stuck };
}
