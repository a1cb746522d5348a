/**
 * Reduces a finding: fewer choices, one fault at another point, weaker faults, a smaller scenario. The result breaks the same invariant,
 * and needs each of its choices. Runs are memoized.
 */
import { kindOf, LONGEST_FAULT_MS, replaying, sortOf, whoseOf } from '../../choices/index.ts';
import type { InjectedFault, PointChoice, Scenario } from '../../scenario/index.ts';
import { attempt, pointsOf, reproduction } from '../reproduction.ts';
import type { Cause, Making } from '../cause.ts';
import { quietAtOf } from '../healing.ts';
import { smaller, fewest } from './smaller.ts';
import type { BeginTrials, Trials } from './trials.ts';
import { reanchored } from './reanchor.ts';

const MOST_RUNS = 300;
/** The limits of points at which faults are tried alone: for all faults, and for one. */
const MOST_SLIDES = 120;
const MOST_PLACES = 60;

export interface Shrunk {
  readonly scenario: Scenario;
  readonly choices: readonly PointChoice[];
  readonly cause: Cause;
  readonly runs: number;
}

interface Reduction {
  readonly claim: string;
  readonly making: Making;
  readonly made: Map<string, Cause | undefined>;
  readonly points: Map<string, readonly string[]>;
  /** Absent: every trial is a whole run. */
  readonly begin: BeginTrials | undefined;
  /** The runs of each scenario, and its trials when they have begun. */
  readonly trials: WeakMap<Scenario, { runs: number; begun?: Trials | undefined }>;
  /** A later failure does not count, milliseconds since the epoch. */
  by: number;
  runs: number;
}

/**
 * Returns the smallest reproduction; undefined: the failure does not reproduce, or reproduces without any choice. `begin`: begins trials in a
 * run that can go back.
 */
export function shrink(
  scenario: Scenario,
  choices: readonly PointChoice[],
  { claim }: Cause,
  making: Making,
  begin?: BeginTrials,
): Shrunk | undefined {
  const reduction: Reduction = { claim, making, made: new Map(), points: new Map(), begin, trials: new WeakMap(), by: Infinity, runs: 1 };
  const first = reproduction(scenario, making, replaying(choices), { claim });
  if (first === undefined) return undefined;
  const { cause, at } = first;
  // A later failure has another cause.
  if (at !== undefined) reduction.by = Math.max(at, quietAtOf(scenario, making)) + LONGEST_FAULT_MS;
  reduction.made.set(nameOf(scenario, choices), cause);
  let left = fewest(choices, (some) => breaks(reduction, scenario, some) !== undefined);
  left = reanchored(left, {
    breaks: (some) => breaks(reduction, scenario, some) !== undefined,
    addresses: (some) => (reduction.runs < MOST_RUNS ? addressesOf(reduction, scenario, some) : []),
  });
  left = slid(reduction, scenario, left);
  left = weakened(reduction, scenario, left);
  const small = smallest(reduction, scenario, left);
  left = anchored(reduction, small, left);
  left = fewest(left, (some) => breaks(reduction, small, some) !== undefined);
  left = weakened(reduction, small, left);
  return left.length === 0
    ? undefined
    : { scenario: small, choices: left, cause: breaks(reduction, small, left) ?? cause, runs: reduction.runs };
}

/** Returns the cause with these choices; undefined: everything holds, or the limit of runs is reached. */
function breaks(reduction: Reduction, scenario: Scenario, choices: readonly PointChoice[]): Cause | undefined {
  const name = nameOf(scenario, choices);
  if (reduction.made.has(name)) return reduction.made.get(name);
  if (reduction.runs >= MOST_RUNS) return undefined;
  reduction.runs++;
  const trials = trialsIn(reduction, scenario);
  const broken = trials ? trials.reproduction(choices) : reproduction(scenario, reduction.making, replaying(choices), reduction);
  const cause = broken?.cause;
  reduction.made.set(name, cause);
  return cause;
}

/** Whole runs of a scenario before its trials begin: the first trial takes longer, so a short reduction would gain nothing. */
const WHOLE_RUNS = 16;

function trialsIn({ trials, begin, making, claim, by }: Reduction, scenario: Scenario): Trials | undefined {
  const known = trials.get(scenario) ?? { runs: 0 };
  trials.set(scenario, known);
  if (++known.runs > WHOLE_RUNS) known.begun ??= begin?.(scenario, making, { claim, by });
  return known.begun;
}

const nameOf = (scenario: Scenario, choices: readonly PointChoice[]): string => JSON.stringify([scenario, choices]);

/** Tries each remaining fault alone at every other point of its process and sort, because the smallest plan often uses another point. */
function slid(reduction: Reduction, scenario: Scenario, choices: readonly PointChoice[]): readonly PointChoice[] {
  if (choices.length < 2) return choices;
  const addresses = addressesOf(reduction, scenario, choices);
  for (const { at, injectedFault } of choices) {
    if (sortOf(at) === 'actor') continue;
    const { sort, process, who } = whoseOf(at);
    const alike = addresses.filter((address) => {
      const whose = whoseOf(address);
      return whose.sort === sort && whose.process === process && (sort !== 'see' || whose.who === who);
    });
    for (const address of nearestFirst(alike, at).slice(0, Math.min(MOST_PLACES, Math.ceil(MOST_SLIDES / choices.length)))) {
      const alone = [{ at: address, injectedFault }];
      if (breaks(reduction, scenario, alone) !== undefined) return alone;
    }
  }
  return choices;
}

function nearestFirst(addresses: readonly string[], at: string): readonly string[] {
  const here = Math.max(0, addresses.indexOf(at));
  return addresses
    .map((address, index) => ({ address, far: Math.abs(index - here) }))
    .sort((a, b) => a.far - b.far)
    .map(({ address }) => address);
}

function addressesOf(reduction: Reduction, scenario: Scenario, choices: readonly PointChoice[]): readonly string[] {
  const name = nameOf(scenario, choices);
  const known = reduction.points.get(name);
  if (known !== undefined) return known;
  reduction.runs++;
  const points = trialsIn(reduction, scenario)?.points(choices) ?? pointsOf(scenario, reduction.making, replaying(choices));
  reduction.points.set(name, points);
  return points;
}

/** Puts, in place of each choice in turn, the first of others for it with which the failure stays. */
function replaced(
  reduction: Reduction,
  scenario: Scenario,
  choices: readonly PointChoice[],
  othersFor: (choice: PointChoice, now: readonly PointChoice[]) => readonly PointChoice[],
): readonly PointChoice[] {
  let now = choices;
  for (const [index, choice] of choices.entries())
    now =
      othersFor(choice, now)
        .map((other) => now.map((each, place) => (place === index ? other : each)))
        .find((some) => breaks(reduction, scenario, some) !== undefined) ?? now;
  return now;
}

/**
 * Moves a fault of a whole process to the controller that made the violating write, because points of other controllers change with
 * unrelated code.
 */
function anchored(reduction: Reduction, scenario: Scenario, choices: readonly PointChoice[]): readonly PointChoice[] {
  const { controller, process } = breaks(reduction, scenario, choices) ?? {};
  if (controller === undefined || process === undefined) return choices;
  return replaced(reduction, scenario, choices, ({ at, injectedFault }, now) => {
    const whose = whoseOf(at);
    if (whose.sort !== 'decide' || injectedFault.do === 'hold' || whose.process !== process || whose.who === controller) return [];
    return addressesOf(reduction, scenario, choices)
      .filter((address) => {
        const other = whoseOf(address);
        return other.sort === 'decide' && other.process === process && other.who === controller;
      })
      .filter((address) => !now.some((each) => each.at === address))
      .flatMap((address) =>
        [injectedFault, ...weakerThan(injectedFault)].map((each): PointChoice => ({ at: address, injectedFault: each })),
      )
      .slice(0, MOST_PLACES);
  });
}

const weakerThan = (injectedFault: InjectedFault): readonly InjectedFault[] => kindOf(injectedFault).weaker(injectedFault);

const weakened = (reduction: Reduction, scenario: Scenario, choices: readonly PointChoice[]): readonly PointChoice[] =>
  replaced(reduction, scenario, choices, (choice) =>
    weakerThan(choice.injectedFault).map((injectedFault) => ({ ...choice, injectedFault })),
  );

/** Returns the smallest scenario that breaks with these choices and holds without them. */
function smallest(reduction: Reduction, scenario: Scenario, choices: readonly PointChoice[]): Scenario {
  let small = scenario;
  for (let went = true; went;) {
    went = false;
    for (const less of smaller(small)) {
      if (breaks(reduction, less, choices) === undefined || !holdsAlone(reduction, less)) continue;
      small = less;
      went = true;
      break;
    }
  }
  return small;
}

function holdsAlone(reduction: Reduction, scenario: Scenario): boolean {
  if (reduction.runs >= MOST_RUNS) return false;
  reduction.runs++;
  const { broken, stuck } = attempt(scenario, reduction.making);
  return broken.length === 0 && !stuck;
}
