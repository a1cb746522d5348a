/**
 * Explores all orders of events within instants of a small scenario, depth first. Each run starts at the beginning and repeats the picks
 * that lead to its branching. A known state is not explored again. Orders beyond the depth are counted.
 */
import type { Scenario } from '../../scenario/index.ts';
import { type Cause, causeText, type Making } from '../cause.ts';
import type { OrderRules } from './dependence.ts';
import { orderRulesOf, walk, type Walked } from './walk.ts';

export interface ExhaustiveOptions extends Making {
  /** The number of branchings of a run after which no alternatives are explored; absent: no limit. */
  readonly depth?: number;
  /** The dependence of events; absent: by the latencies of the scenario. */
  readonly rules?: OrderRules;
}

/** An order that breaks an assertion. */
export interface OrderFinding {
  readonly cause: Cause;
  /** The alternative taken at each branching; 0: the oldest event. Trailing zeros are omitted. */
  readonly picks: readonly number[];
  /** The events that came before an older one, one line each. */
  readonly words: readonly string[];
  /** The number of runs with this failure, and the first of them. */
  readonly seen: number;
  readonly firstRun: number;
}

export interface Explored {
  /** The number of runs; a run ends when it reaches a known state. */
  runs: number;
  /** The number of distinct states at which several events were due. */
  states: number;
  /** The distinct states at the end of runs. */
  readonly ends: Set<string>;
  deepest: number;
  /** The number of alternatives beyond the depth, which were not explored. */
  cut: number;
  /** Every order was explored, or is equivalent to an explored one. */
  complete: boolean;
  readonly findings: OrderFinding[];
}

/** Explores the orders of a scenario, run by run; a caller can stop iterating at any time. */
export function* exploring(
  scenario: Scenario,
  { depth = Infinity, rules = orderRulesOf(scenario), ...making }: ExhaustiveOptions = {},
): Generator<Explored, Explored> {
  const explored: Explored = { runs: 0, states: 0, ends: new Set(), deepest: 0, complete: false, cut: 0, findings: [] };
  const seen = new Set<string>();
  const isNew = (state: string): boolean => {
    if (seen.has(state)) return false;
    seen.add(state);
    return true;
  };
  const open: (readonly number[])[] = [[]];
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    const { branchings, picks, end, causes } = walk({ scenario, making, rules, prefix, isNew });
    explored.runs++;
    explored.states = seen.size;
    if (end !== undefined) explored.ends.add(end);
    explored.deepest = Math.max(explored.deepest, branchings.length);
    const [cause] = causes;
    if (cause !== undefined) enter(explored.findings, { cause, picks, branchings, run: explored.runs });
    // The last alternative pushed is explored first: that of the last branching, which keeps the stack small.
    for (let at = prefix.length; at < branchings.length; at++) {
      const others = (branchings[at]?.alternatives ?? 1) - 1;
      if (at >= depth) explored.cut += others;
      else for (let alternative = others; alternative > 0; alternative--) open.push([...picks.slice(0, at), alternative]);
    }
    explored.complete = open.length === 0 && explored.cut === 0;
    yield explored;
  }
  return explored;
}

/** Explores the orders in one call, to the end. */
export function explore(scenario: Scenario, looking: ExhaustiveOptions = {}): Explored {
  const going = exploring(scenario, looking);
  for (;;) {
    const { done, value } = going.next();
    if (done === true) return value;
  }
}

/** Keeps one finding for each cause: the one with the fewest overtakings. */
function enter(
  findings: OrderFinding[],
  { cause, picks, branchings, run }: Pick<Walked, 'picks' | 'branchings'> & { readonly cause: Cause; readonly run: number },
): void {
  const words = branchings.map(({ words: said }) => said).filter((said) => said !== '');
  const until = picks.findLastIndex((pick) => pick > 0) + 1;
  const found: OrderFinding = { cause, picks: picks.slice(0, until), words, seen: 1, firstRun: run };
  const known = findings.findIndex((each) => causeText(each.cause) === causeText(cause));
  const before = findings[known];
  if (before === undefined) findings.push(found);
  else findings[known] = { ...(words.length < before.words.length ? found : before), seen: before.seen + 1, firstRun: before.firstRun };
}
