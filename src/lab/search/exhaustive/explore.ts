/**
 * Explores all orders of events within instants of a small scenario, depth first. With an undo log one run goes back to its last
 * branching; without one, each run starts at the beginning and repeats the picks that lead to its branching. A known state is not explored
 * again. Orders beyond the depth are counted.
 */
import { fingerprintText } from '../../../engine/index.ts';
import { stageMoments, type Moment } from '../../moments/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import { type Cause, causeText, type Making } from '../cause.ts';
import { isBroken } from '../judgement.ts';
import type { OrderRules } from './dependence.ts';
import { orderRulesOf, pathOf, walk, type Walked } from './walk.ts';

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
  /** The number of runs that broke something in built-in code alone. */
  elsewhere: number;
  readonly findings: OrderFinding[];
}

/** Explores the orders of a scenario, run by run; a caller can stop iterating at any time. */
export function* exploring(
  scenario: Scenario,
  { depth = Infinity, rules = orderRulesOf(scenario), ...making }: ExhaustiveOptions = {},
): Generator<Explored, Explored> {
  const { explored, isNew, enter } = beginExplored();
  const open: (readonly number[])[] = [[]];
  for (let prefix = open.pop(); prefix !== undefined; prefix = open.pop()) {
    const walked = walk({ scenario, making, rules, prefix, isNew });
    const { branchings, picks } = walked;
    enter(walked);
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

/** A place where a run can go on in another way: the moment before a branching, its number, and the alternative. */
interface Fork {
  readonly moment: Moment;
  readonly at: number;
  readonly alternative: number;
}

/**
 * The same in the build with the write barrier: one run goes back to each branching, in place of runs that begin at the start. A user's
 * definitions are not behind the barrier.
 */
export function* exploringMoments(
  scenario: Scenario,
  { depth = Infinity, rules = orderRulesOf(scenario), ...making }: Omit<ExhaustiveOptions, 'with'> = {},
): Generator<Explored, Explored> {
  const { explored, isNew, enter } = beginExplored();
  const path = pathOf({ scenario, making, rules, prefix: [], isNew }, (options) => stageMoments(scenario, options));
  const { staged: run, states, branchings, picks } = path;
  const open: Fork[] = [];
  try {
    for (let fork: Fork | undefined; ;) {
      let end: string | undefined;
      while (end === undefined && !path.stopped) {
        const [moment, at] = [run.here(), branchings.length];
        if (!run.advance()) end = fingerprintText(states.now());
        if (branchings.length === at || at < path.prefix.length) continue;
        const others = (branchings[at]?.alternatives ?? 1) - 1;
        if (at >= depth) explored.cut += others;
        else for (let alternative = others; alternative > 0; alternative--) open.push({ moment, at, alternative });
      }
      if (end !== undefined) run.finish();
      enter({ branchings, picks, causes: path.causes(), ...(end === undefined ? {} : { end }) });
      explored.complete = open.length === 0 && explored.cut === 0;
      yield explored;
      fork = open.pop();
      if (fork === undefined) return explored;
      run.go(fork.moment);
      branchings.length = picks.length = fork.at;
      path.prefix = [...picks, fork.alternative];
      path.stopped = false;
    }
  } finally {
    run.leave();
  }
}

/** A search that has not begun; `enter` adds a run. */
function beginExplored() {
  const explored: Explored = { runs: 0, states: 0, ends: new Set(), deepest: 0, complete: false, cut: 0, elsewhere: 0, findings: [] };
  const seen = new Set<string>();
  return {
    explored,
    isNew(state: string): boolean {
      if (seen.has(state)) return false;
      seen.add(state);
      return true;
    },
    enter({ branchings, picks, end, causes: [cause] }: Walked): void {
      explored.runs++;
      explored.states = seen.size;
      if (end !== undefined) explored.ends.add(end);
      explored.deepest = Math.max(explored.deepest, branchings.length);
      if (cause !== undefined && !isBroken([cause])) explored.elsewhere++;
      else if (cause !== undefined) enterFinding(explored.findings, { cause, picks, branchings, run: explored.runs });
    },
  };
}

/** Explores the orders in one call, to the end. */
export function explore(scenario: Scenario, looking: ExhaustiveOptions = {}): Explored {
  return exploredBy(exploring(scenario, looking));
}

/** The result of a search, to the end. */
export function exploredBy(going: Generator<Explored, Explored>): Explored {
  for (;;) {
    const { done, value } = going.next();
    if (done === true) return value;
  }
}

/** Keeps one finding for each cause: the one with the fewest overtakings. */
function enterFinding(
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
