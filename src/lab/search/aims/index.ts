/**
 * What a search tries by intention: single faults at the moments that matter to the user's controllers, then pairs of them around their
 * creations, deletions and finalizers. Swarm testing tries what nobody thought of.
 */
import type { PointChoice } from '../../scenario/index.ts';
import type { History } from './history.ts';
import { pairsOf } from './pairs.ts';
import { momentsIn, singlesOf } from './singles.ts';

export { historian, type History } from './history.ts';

/** All that a search tries by intention, in order. */
export interface Aims {
  readonly singles: readonly PointChoice[];
  /** Pairs in which the first choice comes before the second. */
  readonly pairs: readonly (readonly [PointChoice, PointChoice])[];
}

const known = new WeakMap<History, Map<string, Aims>>();

/** Returns the aims of a search with these faults. */
export function aimsOf(history: History, faults: readonly string[]): Aims {
  let byFaults = known.get(history);
  if (byFaults === undefined) known.set(history, (byFaults = new Map()));
  const key = faults.join(' ');
  let aims = byFaults.get(key);
  if (aims === undefined) {
    const moments = momentsIn(history);
    aims = { singles: singlesOf(moments, faults), pairs: pairsOf(moments, faults) };
    byFaults.set(key, aims);
  }
  return aims;
}
