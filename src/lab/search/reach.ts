/**
 * The coverage of a search, from its statistics: reasons of controllers, faults by target, untried faults, and when something new was last
 * reached.
 */
import { faultKinds } from '../choices/index.ts';
import { compareText, pushTo } from '../../schema/values/index.ts';
import { targetOf, type Statistics, type Tally } from './statistics.ts';
import type { Field } from './swarm.ts';

export interface Reach {
  /** Distinct reasons by controller. */
  readonly reasons: readonly { readonly controller: string; readonly said: readonly string[] }[];
  /** The number of known reasons after each run that added some; run 0 is the scenario without faults. */
  readonly curve: readonly { readonly run: number; readonly reasons: number }[];
  /** Faults by target, with their outcomes. */
  readonly tried: readonly Tally[];
  /** Faults by target that were not tried. */
  readonly untried: readonly { readonly injectedFault: string; readonly whom: string }[];
  /** Invariants that the scenario names and no run has exercised. */
  readonly idle: readonly string[];
}

export function reachOf(
  { reached, tried, idle }: Statistics,
  { actors, faults, points }: Pick<Field, 'actors' | 'faults' | 'points'>,
): Reach {
  const reasons = new Map<string, string[]>();
  for (const text of reached.keys()) {
    const at = text.indexOf(': ');
    pushTo(reasons, text.slice(0, at), text.slice(at + 2));
  }
  const curve: { run: number; reasons: number }[] = [];
  let known = 0;
  for (const run of [...reached.values()].map((each) => Math.max(0, each)).sort((a, b) => a - b)) {
    known++;
    const last = curve.at(-1);
    if (last?.run === run) last.reasons = known;
    else curve.push({ run, reasons: known });
  }
  return {
    reasons: [...reasons]
      .map(([controller, said]) => ({ controller, said: said.sort(compareText) }))
      .sort((a, b) => compareText(a.controller, b.controller)),
    curve,
    tried: [...tried.values()].sort((a, b) => compareText(a.whom, b.whom) || compareText(a.injectedFault, b.injectedFault)),
    untried: possible(actors, faults, points).filter(({ injectedFault, whom }) => !tried.has(`${injectedFault} ${whom}`)),
    idle: [...idle],
  };
}

export function knownBy({ curve }: Pick<Reach, 'curve'>, share: number): number {
  const all = curve.at(-1)?.reasons ?? 0;
  return curve.find(({ reasons }) => reasons >= all * share)?.run ?? 0;
}

const VERBS: Readonly<Record<string, string>> = { decides: 'decide', writes: 'write' };

/** Returns every pair of a fault and a target that has points for it. */
function possible(
  actors: readonly string[],
  faults: readonly string[],
  points: Field['points'],
): readonly { injectedFault: string; whom: string }[] {
  const found = new Map<string, { injectedFault: string; whom: string }>();
  const add = (whom: string, sort: string): void => {
    for (const { name, sorts } of faultKinds)
      if (faults.includes(name) && sorts.some((each) => each === sort)) found.set(`${name} ${whom}`, { injectedFault: name, whom });
  };
  for (const actor of actors) {
    const whom = targetOf(actor);
    add(whom, 'actor');
    add(whom, VERBS[actor.slice(actor.lastIndexOf(' ') + 1)] ?? 'see');
  }
  if ((points['start'] ?? 0) > 0) add('containers', 'start');
  return [...found.values()].sort((a, b) => compareText(a.whom, b.whom) || compareText(a.injectedFault, b.injectedFault));
}
