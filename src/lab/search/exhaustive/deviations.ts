/**
 * Explores every single fault at every point of a run, one at a time. The points are those of the run without faults, and each fault is
 * tried in each of its strengths.
 */
import { faultKinds, listening, replaying, sortOf, type Sort } from '../../choices/index.ts';
import type { InjectedFault, PointChoice } from '../../scenario/index.ts';
import { bump } from '../../../schema/values/index.ts';
import { attempt } from '../reproduction.ts';
import { causeText, type Cause, type Making } from '../cause.ts';
import { isBroken } from '../judgement.ts';
import type { Catch } from '../statistics.ts';
import { defaultFaults } from '../search.ts';
import type { Baseline } from '../baseline.ts';

export interface Deviated {
  runs: number;
  /** The number of runs to make. */
  readonly all: number;
  /** The number of points in the run without faults, by sort. */
  readonly points: ReadonlyMap<Sort, number>;
  /** The number of runs that ended early because a step failed. */
  stuck: number;
  /** The number of runs that broke something in built-in code alone. */
  elsewhere: number;
  readonly catches: readonly Catch[];
}

/** Returns all single faults for a scenario, the first point first. */
function deviationsFrom(
  { quiescence: { scenario, quietMs } }: Baseline,
  making: Making,
  faults: readonly string[] = defaultFaults(),
): readonly PointChoice[] {
  const places = new Map<string, Sort>();
  const actors = new Set<string>();
  const listener = listening(({ sort, address, actor }, now) => {
    if (now >= scenario.startAt + quietMs) return;
    places.set(address, sort);
    if (actor !== '') actors.add(actor);
  });
  attempt(scenario, making, listener);
  for (const actor of actors) places.set(actor, 'actor');
  return [...places].flatMap(([at, sort]) => {
    const distinct = new Map(faultsAt(sort, faults, quietMs).map((fault) => [JSON.stringify(fault), fault]));
    return [...distinct.values()].map((injectedFault): PointChoice => ({ at, injectedFault }));
  });
}

/** Returns the faults of some names, in all their strengths, that can happen at points of a sort. A slow actor is slow until the end of faults. */
export const faultsAt = (sort: Sort, names: readonly string[], quietMs: number): readonly InjectedFault[] =>
  faultKinds
    .filter(({ name, sorts }) => names.includes(name) && sorts.includes(sort))
    .flatMap(({ drawn }) => drawn(sort))
    .map((fault): InjectedFault => (fault.do === 'slow' ? { ...fault, untilMs: quietMs } : fault));

/** Makes the runs one by one; a caller can stop iterating at any time. */
export function* deviating(baseline: Baseline, making: Making, faults?: readonly string[]): Generator<Deviated, Deviated> {
  const { scenario } = baseline.quiescence;
  const choices = deviationsFrom(baseline, making, faults);
  const catches: Catch[] = [];
  const deviated: Deviated = { runs: 0, all: choices.length, points: pointsOf(choices), stuck: 0, elsewhere: 0, catches };
  for (const choice of choices) {
    const { broken, stuck } = attempt(scenario, making, replaying([choice]));
    deviated.runs++;
    if (stuck) deviated.stuck++;
    const [cause] = broken;
    if (cause !== undefined && !isBroken([cause])) deviated.elsewhere++;
    else if (cause !== undefined) enter(catches, cause, choice, deviated.runs);
    yield deviated;
  }
  return deviated;
}

function pointsOf(choices: readonly PointChoice[]): ReadonlyMap<Sort, number> {
  const points = new Map<Sort, number>();
  for (const address of new Set(choices.map(({ at }) => at))) bump(points, sortOf(address) as Sort);
  return points;
}

/** Keeps the first failure of each cause. */
function enter(catches: Catch[], cause: Cause, choice: PointChoice, run: number): void {
  const at = catches.findIndex((each) => causeText(each.cause) === causeText(cause));
  const known = catches[at];
  if (known === undefined) catches.push({ cause, choices: [choice], run, firstRun: run, seen: 1 });
  else catches[at] = { ...known, seen: known.seen + 1 };
}
