/**
 * All orders within instants of a small scenario: depth first, each run from the start by the orders that lead to its branching. A known
 * state is not continued from. Orders beyond the depth are counted.
 */
import type { Scenario } from '../../scenario/index.ts';
import type { Making } from '../run.ts';
import { causeText, type Cause } from '../cause.ts';
import type { Ways } from './dependence.ts';
import { waysOf } from './latency.ts';
import { walk, type Walked } from './walk.ts';

/** How to look. */
export interface Looking extends Making {
  /** Branchings of one run after which no other way is tried; absent: none. */
  readonly depth?: number;
  /** What depends on what; absent: as the latencies of the scenario say. */
  readonly ways?: Ways;
}

/** An order that breaks a claim. */
export interface OrderFinding {
  readonly cause: Cause;
  /** At each branching, which of those that were tried came first; 0: the oldest. Those at the end that are 0 are left out. */
  readonly picks: readonly number[];
  /** What came before its turn, a line each. */
  readonly words: readonly string[];
  /** How many runs broke so, and which first. */
  readonly seen: number;
  readonly firstRun: number;
}

/** What an exhaustive search has seen so far. */
export interface Explored {
  /** Runs made; one that comes by a known state ends there. */
  runs: number;
  /** Different states at which more than one thing was due. */
  states: number;
  /** States that runs have ended in. */
  readonly ends: Set<string>;
  /** Branchings of the longest run. */
  deepest: number;
  /** Ways that were not gone because they lie too deep. */
  cut: number;
  /** Every order has been looked at, or is like one that has. */
  complete: boolean;
  readonly findings: OrderFinding[];
}

/** Looks at the orders of a scenario, a run at a time; whoever has seen enough goes on no more. */
export function* exploring(
  scenario: Scenario,
  { depth = Infinity, ways = waysOf(scenario), ...making }: Looking = {},
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
    const { branchings, picks, end, causes } = walk({ scenario, making, ways, prefix, isNew });
    explored.runs++;
    explored.states = seen.size;
    if (end !== undefined) explored.ends.add(end);
    explored.deepest = Math.max(explored.deepest, branchings.length);
    const [cause] = causes;
    if (cause !== undefined) enter(explored.findings, { cause, picks, branchings, run: explored.runs });
    // What is pushed last is gone first: the last branching, so that what is left to do stays little.
    for (let at = prefix.length; at < branchings.length; at++) {
      const others = (branchings[at]?.ways ?? 1) - 1;
      if (at >= depth) explored.cut += others;
      else for (let way = others; way > 0; way--) open.push([...picks.slice(0, at), way]);
    }
    explored.complete = open.length === 0 && explored.cut === 0;
    yield explored;
  }
  return explored;
}

/** The same in one call, to the end. */
export function explore(scenario: Scenario, looking: Looking = {}): Explored {
  const going = exploring(scenario, looking);
  for (;;) {
    const { done, value } = going.next();
    if (done === true) return value;
  }
}

/** Findings of one cause are one: the one with the fewest things out of their turn is kept. */
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
