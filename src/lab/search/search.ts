/**
 * A search as a conversation: it hands out rounds of runs and takes their outcomes in order of their numbers, so that whoever makes the
 * runs, here or on threads, and how many of them at once, shows in nothing but the time.
 */
import { deedKinds } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { attempt, type Making } from './attempt.ts';
import { causeText, type Cause } from './cause.ts';
import { fractionOf } from './chance.ts';
import { createCorpus } from './corpus.ts';
import type { Survey } from './survey.ts';
import { swarming, type Draw, type Field } from './swarm.ts';

/** Runs a round. All of them draw from what the rounds before it have kept. */
export const ROUND = 32;
/** Of the runs, as much grows from a kept one. */
const GROWN = 0.5;

/** All that a run needs, plain data. */
export interface Ground {
  readonly scenario: Scenario;
  readonly field: Field;
}

/** What came of one run, plain data. */
export interface Outcome {
  readonly number: number;
  readonly taken: readonly PointChoice[];
  readonly broken: readonly Cause[];
  readonly reached: readonly string[];
  readonly witnessed: readonly string[];
  readonly stuck: boolean;
}

/** Something found, as it was found. */
export interface Catch {
  readonly cause: Cause;
  readonly choices: readonly PointChoice[];
  /** The run that found it first, and how many have. */
  readonly firstRun: number;
  seen: number;
}

export interface Search {
  readonly ground: Ground;
  /** The next runs. */
  round(): readonly Draw[];
  /** What came of them, in order of their numbers. */
  take(outcomes: readonly Outcome[]): void;
  readonly runs: number;
  /** By cause; of several the one with the fewest choices. */
  readonly catches: readonly Catch[];
  readonly progress: Progress;
}

export interface Progress {
  /** Distinct reasons of controllers. */
  readonly reached: ReadonlySet<string>;
  readonly kept: number;
  /** The last run that reached something new. */
  readonly lastNews: number;
  /** Runs whose story could not be told to its end, because a step could not be taken. */
  readonly stuck: number;
  /** Choices that were made, by deed. */
  readonly deeds: ReadonlyMap<string, number>;
  /** Of the invariants that the scenario names, those that nothing has put at stake. */
  readonly idle: readonly string[];
}

/** Deeds that mend by themselves: what a search does unless it is told otherwise. */
export const usualDeeds = (): readonly string[] => deedKinds.filter(({ lasts }) => lasts !== true).map(({ name }) => name);

/** Begins a search. */
export function beginSearch({ calm, field, reached, idle }: Survey, seed: number, deeds: readonly string[] = usualDeeds()): Search {
  const ground: Ground = { scenario: calm.scenario, field: { ...field, seed, deeds } };
  const corpus = createCorpus();
  corpus.offer([], reached);
  const catches = new Map<string, Catch>();
  const made = new Map<string, number>();
  const unwitnessed = new Set(idle);
  let [next, runs, lastNews, stuck] = [1, 0, 0, 0];
  const takeOne = (outcome: Outcome): void => {
    runs++;
    if (outcome.stuck) stuck++;
    for (const name of outcome.witnessed) unwitnessed.delete(name);
    for (const { deed } of outcome.taken) made.set(deed.do, (made.get(deed.do) ?? 0) + 1);
    // What broke is told; what is grown from it breaks again, and shows nothing else.
    if (outcome.broken.length === 0 && corpus.offer(outcome.taken, outcome.reached)) lastNews = outcome.number;
    const [cause] = outcome.broken;
    if (cause !== undefined) enter(catches, cause, outcome);
  };
  return {
    ground,
    get runs() {
      return runs;
    },
    get catches() {
      return [...catches.values()];
    },
    get progress() {
      return { reached: corpus.reached, kept: corpus.size, lastNews, stuck, deeds: made, idle: [...unwitnessed] };
    },
    round() {
      const draws = Array.from({ length: ROUND }, (_, at): Draw => {
        const number = next + at;
        const parent = fractionOf(seed, number, 'grows') < GROWN ? corpus.pick() : undefined;
        return parent === undefined ? { number } : { number, parent };
      });
      next += ROUND;
      return draws;
    },
    take: (outcomes) => outcomes.forEach(takeOne),
  };
}

function enter(catches: Map<string, Catch>, cause: Cause, { number, taken }: Outcome): void {
  const text = causeText(cause);
  const known = catches.get(text);
  if (known === undefined) catches.set(text, { cause, choices: taken, firstRun: number, seen: 1 });
  else if (taken.length < known.choices.length) catches.set(text, { ...known, cause, choices: taken, seen: known.seen + 1 });
  else known.seen++;
}

/** Makes one run of a search. */
export function make({ scenario, field }: Ground, draw: Draw, making: Making): Outcome {
  const { run, taken, broken, reached, stuck } = attempt(scenario, making, swarming(field, draw, scenario.startAt));
  const witnessed = run.invariants.filter(({ witnesses }) => witnesses > 0).map(({ name }) => name);
  return { number: draw.number, taken, broken, reached: [...reached], witnessed, stuck };
}
