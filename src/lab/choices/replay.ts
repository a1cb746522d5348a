/** Choices as a scenario has them, made again: each once, at the point of its address. */
import type { Deed, PointChoice } from '../scenario/index.ts';
import { sortOf } from './address.ts';
import type { Chooser, Taken } from './asking.ts';

/** Makes these choices. */
export function replaying(choices: readonly PointChoice[]): Chooser {
  const deeds = new Map<string, Deed>();
  const slow = new Map<string, Extract<Deed, { do: 'slow' }>>();
  for (const { at, deed } of choices) {
    if (deed.do === 'slow') slow.set(at, deed);
    else if (sortOf(at) !== 'actor') deeds.set(at, deed);
  }
  return {
    slow,
    // After a crash a run comes by the same point again.
    choose({ address }) {
      const deed = deeds.get(address);
      if (deed !== undefined) deeds.delete(address);
      return deed;
    },
  };
}

/** Choices that found no point. */
export function unusedOf(choices: readonly PointChoice[], taken: Taken): readonly PointChoice[] {
  const used = new Set(taken.map(({ at }) => at));
  return choices.filter(({ at }) => !used.has(at));
}
