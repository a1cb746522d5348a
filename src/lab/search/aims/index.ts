/**
 * What a search tries by intention: single faults at the moments that matter to the user's controllers, then pairs of them around their
 * creations, deletions and finalizers. Swarm testing tries what nobody thought of.
 */
import { sortOf, whoseOf } from '../../choices/index.ts';
import type { PointChoice } from '../../scenario/index.ts';
import type { History } from './history.ts';
import { pairsOf } from './pairs.ts';
import { momentsIn, singlesOf } from './singles.ts';

export { historian, type History } from './history.ts';

/** A choice in plain data, for counting what was tried: whose fault, which fault, at which moment. */
export interface Aim {
  readonly process: string;
  /** The controller that decides or writes; of a watch event the kind; of a pod's start, its node's agent. */
  readonly who: string;
  /** As `--faults` names it. */
  readonly fault: string;
  /** The point without its sort, process and controller. */
  readonly moment: string;
}

/** Returns a choice in plain data. Choices with the same data differ only in the values of their fault. */
export function aimOf({ at, injectedFault }: PointChoice): Aim {
  const { process, who } = whoseOf(at);
  const sort = sortOf(at);
  return { process, who, fault: injectedFault.do, moment: `${sort} ${at.split(' ').slice(3).join(' ')}` };
}

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
