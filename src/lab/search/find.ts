/** A search in one call, for tests and programs: baseline, runs, reduction, report. */
import { choiceText, replaying, whoseOf } from '../choices/index.ts';
import type { PointChoice, Scenario } from '../scenario/index.ts';
import { compareText, present } from '../../schema/values/index.ts';
import { misledBy, retell, type Retold } from './blame.ts';
import { type Cause, isExpectation, type Making, sketch } from './cause.ts';
import { type Hint, hintOf } from './idiom.ts';
import { isBroken, judgementOf } from './judgement.ts';
import { reproduction } from './reproduction.ts';
import { type Decider, deciderOf, type Story, storyLinesOf, storyOfFinding } from './story.ts';
import type { Catch, Statistics } from './statistics.ts';
import { beginSearch, make, type Ground, type SearchPlan } from './search.ts';
import { shrink } from './shrink/shrink.ts';
import type { BeginTrials } from './shrink/trials.ts';
import { baseline, type Unfit } from './baseline.ts';

/** Options of a search, all with defaults. */
export interface SearchOptions extends Making, SearchPlan {
  /** The number of runs, in whole rounds. Default 250. */
  readonly runs?: number;
  /** Stops after the first round with a finding. */
  readonly untilFound?: boolean;
}

/** A finding: the smallest scenario, the choices that break it, and its story. */
export interface Finding {
  readonly cause: Cause;
  /** It includes the choices, so it reproduces the failure by itself. */
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  /** The story in five lines, more about the failure, and the choices. */
  readonly words: readonly string[];
  readonly story: Story;
  /** Whose decision broke it; absent: no decision is behind it. */
  readonly decider?: Decider;
  /** The reason of that decision, without names and numbers; empty: there is none. */
  readonly reason: string;
  /** The kinds of objects whose changes it had not seen; `the time`, if it only came late. */
  readonly misled: readonly string[];
  /** The idiom that usually mends it; absent: none is known. */
  readonly hint?: Hint;
  /** The other claims that broke by the same cause. */
  readonly also: readonly string[];
  /** The number of runs with this failure, and the first of them. */
  readonly seen: number;
  readonly firstRun: number;
  /** The number of runs of the reduction. */
  readonly shrinks: number;
}

/** The result of a search: the shortest finding of each cause, the number of runs, and the statistics. */
export interface Searched {
  /** Those that count. */
  readonly findings: readonly Finding[];
  /** What broke in built-in code alone, as it was met. */
  readonly elsewhere: readonly Catch[];
  readonly runs: number;
  readonly statistics: Statistics;
}

/** Reduces a failure and describes it; undefined: it does not reproduce. */
export function findingOf(ground: Ground, caught: Catch, making: Making, trials?: BeginTrials): Finding | undefined {
  const small = shrink(ground.scenario, caught.choices, caught.cause, making, trials);
  if (small === undefined) return undefined;
  const { scenario, choices, cause, runs } = small;
  const { seen, firstRun } = caught;
  return { ...told(scenario, choices, cause, making), also: [], seen, firstRun, shrinks: runs };
}

function told(
  scenario: Scenario,
  choices: readonly PointChoice[],
  cause: Cause,
  making: Making,
): Pick<Finding, 'cause' | 'scenario' | 'choices' | 'words' | 'story' | 'decider' | 'reason' | 'misled' | 'hint'> {
  const judgement = judgementOf(scenario, making);
  const retold = retell(scenario, choices, cause, making, judgement);
  const story = storyOfFinding(scenario, choices, cause, making, judgement, retold);
  const { failure } = retold;
  const more = failure === undefined ? cause.message.split('\n').slice(1) : [...failure.detail, ...(failure.waits ?? [])];
  const words = [
    ...storyLinesOf(story),
    ...more
      .map((line) => line.trim())
      .filter((line) => !story.wanted.includes(line))
      .map((line) => `  ${line}`),
    ...choices.map((choice) => `- ${choiceText(choice)}`),
  ];
  return {
    cause,
    scenario: { ...scenario, choices },
    choices,
    words,
    story,
    reason: sketch(retold.blamed?.decision.why ?? ''),
    misled: misledIn(retold),
    ...present({ decider: deciderOf(retold, judgement), hint: hintOf(retold, choices) }),
  };
}

/** A decision that only came late has one cause, whatever delayed it. */
const misledIn = ({ blamed }: Retold): readonly string[] =>
  blamed === undefined ? [] : blamed.lateMs === undefined && blamed.isMissing === undefined ? misledBy(blamed) : ['the time'];

/** At most so many causes of one failure are reduced. */
const MOST_CAUSES = 4;

/**
 * Reduces a failure, and looks for others behind it: runs that break the same claim also without the faults of what was found before have
 * another cause.
 */
export function findingsOf(ground: Ground, caught: Catch, making: Making, trials?: BeginTrials): readonly Finding[] {
  const first = findingOf(ground, caught, making, trials);
  if (first === undefined) return [];
  const found = [first];
  const known = new Set(first.choices.map(effectOf));
  for (const { run, choices } of caught.others ?? []) {
    if (found.length >= MOST_CAUSES) break;
    const rest = choices.filter((choice) => !known.has(effectOf(choice)));
    if (rest.length === 0 || reproduction(ground.scenario, making, replaying(rest), caught.cause) === undefined) continue;
    const next = findingOf(ground, { ...caught, choices: rest, run, firstRun: run, seen: 1 }, making, trials);
    if (next === undefined) continue;
    for (const choice of next.choices) known.add(effectOf(choice));
    found.push(next);
  }
  return found;
}

/**
 * Returns what a choice does to whom, which is the kind of its fault, whatever its point and strength: `hold controller-manager Pod` for any
 * delay of what a process sees of a kind, and otherwise the fault with its process and target.
 */
function effectOf({ at, injectedFault }: PointChoice): string {
  const { sort, process, who } = whoseOf(at);
  if (sort === 'see') return `hold ${process} ${who}`;
  if (sort !== 'actor') return `${injectedFault.do} ${process} ${who}`;
  const [, , subject = '', object = ''] = at.split(' ');
  return subject === 'sees' ? `hold ${process} ${object}` : `${object === 'writes' ? 'late' : 'hold'} ${process} ${subject}`;
}

/** Returns the shortest finding of each cause, in the order of their first runs. */
export function byCause(findings: readonly Finding[]): readonly Finding[] {
  const kept = new Map<string, Finding>();
  for (const finding of findings) {
    const root = rootOf(finding);
    const known = kept.get(root);
    kept.set(root, known === undefined ? finding : joined(known, finding));
  }
  return [...kept.values()].sort((a, b) => a.firstRun - b.firstRun);
}

function joined(a: Finding, b: Finding): Finding {
  const small = preferred(a, b);
  const claims = new Set([a.cause.claim, ...a.also, b.cause.claim, ...b.also]);
  claims.delete(small.cause.claim);
  return {
    ...small,
    also: [...claims],
    // One run may break several claims; how many do is known of each claim alone.
    seen: a.cause.claim === b.cause.claim ? a.seen + b.seen : Math.max(a.seen, b.seen),
    firstRun: Math.min(a.firstRun, b.firstRun),
    shrinks: a.shrinks + b.shrinks,
  };
}

/** An invariant says more than an expectation; of equal ones, the smaller. */
function preferred(a: Finding, b: Finding): Finding {
  const [first, second] = [a, b].map(({ cause }) => (isExpectation(cause) ? 1 : 0));
  if (first !== second) return (first ?? 0) < (second ?? 0) ? a : b;
  return sizeOf(b) < sizeOf(a) ? b : a;
}

/** The identity of a cause: who decided, why, and what it had not seen; where that is unknown, the kinds of faults and their targets. */
function rootOf({ cause, choices, decider, misled, reason }: Finding): string {
  const effects = [...new Set(choices.map(effectOf))].sort(compareText).join(', ');
  return decider === undefined
    ? `${cause.controller ?? ''} ${isExpectation(cause) ? '' : cause.claim} | ${effects}`
    : `${decider.process} ${decider.controller} ${reason} | ${misled.length > 0 ? misled.join(', ') : effects}`;
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
    if (untilFound && [...state.statistics.catches.values()].some(({ cause }) => isBroken([cause]))) break;
  }
  const catches = [...state.statistics.catches.values()];
  const counted = catches.filter(({ cause }) => isBroken([cause]));
  return {
    findings: byCause(counted.flatMap((caught) => findingsOf(state.ground, caught, making))),
    elsewhere: catches.filter(({ cause }) => !isBroken([cause])),
    runs: state.statistics.runs,
    statistics: state.statistics,
  };
}
