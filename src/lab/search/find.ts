/** A search in one call, for tests and programs: baseline, runs, reduction, report. */
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { causeText, type Cause, type Making, wordsFor } from './cause.ts';
import type { Catch, Statistics } from './statistics.ts';
import { beginSearch, make, type Ground, type SearchPlan } from './search.ts';
import { shrink } from './shrink/shrink.ts';
import { baseline, type Unfit } from './baseline.ts';

/** Options of a search, all with defaults. */
export interface SearchOptions extends Making, SearchPlan {
  /** The number of runs, in whole rounds. Default 250. */
  readonly runs?: number;
  /** Stops after the first round with a finding. */
  readonly untilFound?: boolean;
}

/** A finding: the smallest scenario, and the choices that break it. */
export interface Finding {
  readonly cause: Cause;
  /** It includes the choices, so it reproduces the failure by itself. */
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  readonly words: readonly string[];
  /** The number of runs with this failure, and the first of them. */
  readonly seen: number;
  readonly firstRun: number;
  /** The number of runs of the reduction. */
  readonly shrinks: number;
}

/** The result of a search: the shortest finding of each cause, the number of runs, and the statistics. */
export interface Searched {
  readonly findings: readonly Finding[];
  readonly runs: number;
  readonly statistics: Statistics;
}

/** Reduces a failure and describes it; undefined: it does not reproduce. */
export function findingOf(ground: Ground, caught: Catch, making: Making): Finding | undefined {
  const small = shrink(ground, caught.choices, caught.cause, making);
  if (small === undefined) return undefined;
  const { scenario, choices, cause, runs } = small;
  const words = wordsFor(scenario, choices, cause, making);
  return { cause, scenario: { ...scenario, choices }, choices, words, seen: caught.seen, firstRun: caught.firstRun, shrinks: runs };
}

export function byCause(findings: readonly Finding[]): readonly Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const text = causeText(finding.cause);
    const known = kept.get(text);
    const merged = known && {
      ...(sizeOf(finding) < sizeOf(known) ? finding : known),
      seen: finding.seen + known.seen,
      firstRun: Math.min(finding.firstRun, known.firstRun),
      shrinks: finding.shrinks + known.shrinks,
    };
    kept.set(text, merged ?? finding);
  }
  return [...kept.values()].sort((a, b) => a.firstRun - b.firstRun);
}

const sizeOf = ({ choices, scenario }: Finding): number =>
  choices.length * 1_000 + scenario.steps.length * 10 + scenario.cluster.nodes.length;

/** Searches a scenario for faults that break an invariant or an expectation. */
export function search(
  scenario: Scenario,
  { seed, runs = 250, faults, shard, corpus, strand, untilFound = false, ...making }: SearchOptions = {},
): Searched | Unfit {
  const found = baseline(scenario, making);
  if ('unfit' in found) return found;
  const state = beginSearch(found, { seed, faults, shard, corpus, strand });
  while (state.within(runs)) {
    state.take(state.round(runs).map((draw) => make(state.ground, draw, making)));
    if (untilFound && state.statistics.catches.size > 0) break;
  }
  const findings = [...state.statistics.catches.values()].flatMap((caught) => findingOf(state.ground, caught, making) ?? []);
  return { findings: byCause(findings), runs: state.statistics.runs, statistics: state.statistics };
}
