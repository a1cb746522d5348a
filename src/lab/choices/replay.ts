/** Replays the choices of a scenario: each once, at the point of its address. */
import type { InjectedFault, PointChoice } from '../scenario/index.ts';
import { sortOf } from './address.ts';
import type { Chooser, Taken } from './strategy.ts';

/** Returns a strategy that makes these choices. */
export function replaying(choices: readonly PointChoice[]): Chooser {
  const faults = new Map<string, InjectedFault>();
  const slow = new Map<string, Extract<InjectedFault, { do: 'slow' }>>();
  for (const { at, injectedFault } of choices) {
    if (injectedFault.do === 'slow') slow.set(at, injectedFault);
    else if (sortOf(at) !== 'actor') faults.set(at, injectedFault);
  }
  return {
    slow,
    // A run reaches the same point again after a crash, so a choice is made only once.
    choose({ address }) {
      const injectedFault = faults.get(address);
      if (injectedFault !== undefined) faults.delete(address);
      return injectedFault;
    },
  };
}

/** Returns the choices whose point was not reached. */
export function unusedOf(choices: readonly PointChoice[], taken: Taken): readonly PointChoice[] {
  const used = new Set(taken.map(({ at }) => at));
  return choices.filter(({ at }) => !used.has(at));
}
