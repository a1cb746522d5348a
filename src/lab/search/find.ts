/** A search in one call, for tests and programs: looks over, runs, shortens, tells. */
import type { PointChoice, Scenario } from '../scenario/index.ts';
import type { Making } from './run.ts';
import { causeText, type Cause } from './cause.ts';
import type { Catch, Statistics } from './statistics.ts';
import { beginSearch, make, type Ground, type SearchPlan } from './search.ts';
import { shrink } from './shrink/shrink.ts';
import { baseline, type Unfit } from './baseline.ts';
import { wordsFor } from './words.ts';

/** How a search goes; everything has a default. */
export interface SearchOptions extends Making, SearchPlan {
  /** How many runs; whole rounds are made. Default 250. */
  readonly runs?: number;
  /** Stops after the round that found something. */
  readonly untilFound?: boolean;
}

/** Something that a search found: the smallest scenario and the choices that break it. */
export interface Finding {
  readonly cause: Cause;
  /** With its choices: it runs, and breaks, by itself. */
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  readonly words: readonly string[];
  /** In how many runs it was seen, and in which first. */
  readonly seen: number;
  readonly firstRun: number;
  /** Runs that it took to make it small. */
  readonly shrinks: number;
}

/** What a search comes back with: its findings, the shortest of each cause, how many runs it made, and its books: how far it looked. */
export interface Searched {
  readonly findings: readonly Finding[];
  readonly runs: number;
  readonly statistics: Statistics;
}

/** Makes a catch small and tells it; undefined: it does not come again. */
export function findingOf(ground: Ground, caught: Catch, making: Making): Finding | undefined {
  const small = shrink(ground, caught.choices, caught.cause, making);
  if (small === undefined) return undefined;
  const { scenario, choices, cause, runs } = small;
  const words = wordsFor(scenario, choices, cause, making);
  return { cause, scenario: { ...scenario, choices }, choices, words, seen: caught.seen, firstRun: caught.firstRun, shrinks: runs };
}

/** Findings of one cause are one: the shortest is kept. */
export function byCause(findings: readonly Finding[]): readonly Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const text = causeText(finding.cause);
    const known = kept.get(text);
    if (known === undefined) {
      kept.set(text, finding);
      continue;
    }
    const [short, long] = sizeOf(finding) < sizeOf(known) ? [finding, known] : [known, finding];
    kept.set(text, {
      ...short,
      seen: short.seen + long.seen,
      firstRun: Math.min(short.firstRun, long.firstRun),
      shrinks: short.shrinks + long.shrinks,
    });
  }
  return [...kept.values()].sort((a, b) => a.firstRun - b.firstRun);
}

const sizeOf = ({ choices, scenario }: Finding): number =>
  choices.length * 1_000 + scenario.steps.length * 10 + scenario.cluster.nodes.length;

/** Searches a scenario for choices that break one of its claims. */
export function search(
  scenario: Scenario,
  { seed, runs = 250, faults, shard, corpus, strand, untilFound = false, ...making }: SearchOptions = {},
): Searched | Unfit {
  const looked = baseline(scenario, making);
  if ('unfit' in looked) return looked;
  const going = beginSearch(looked, { seed, faults, shard, corpus, strand });
  while (going.within(runs)) {
    going.take(going.round(runs).map((draw) => make(going.ground, draw, making)));
    if (untilFound && going.statistics.catches.size > 0) break;
  }
  const findings = [...going.statistics.catches.values()].flatMap((caught) => findingOf(going.ground, caught, making) ?? []);
  return { findings: byCause(findings), runs: going.statistics.runs, statistics: going.statistics };
}
