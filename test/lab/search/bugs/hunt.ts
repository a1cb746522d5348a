/** One search of a controller in a story: whether the expected claim breaks, or whatever else does. */
import { baseline, beginSearch, findingOf, make } from '../../../../src/lab/search/index.ts';
import type { Catch, Cause, Finding, Outcome } from '../../../../src/lab/search/index.ts';
import type { PointChoice } from '../../../../src/lab/scenario/index.ts';
import type { Definitions, Scenario } from '../../../../src/index.ts';

export interface Hunted {
  /** The first run with a matching cause. */
  readonly foundIn: number | undefined;
  readonly cause: Cause | undefined;
  readonly runs: number;
  /** The choices of the shortest run with a matching cause. */
  readonly choices: readonly PointChoice[];
  /** All causes by the run that met them first, with the number of runs and the choices of the shortest. */
  readonly causes: readonly Catch[];
  /** Reduces what was found. */
  small(which?: number): Finding | undefined;
}

/** Makes up to `most` runs; with `isMeant`, stops at the round that meets such a cause. */
export function hunted(
  scenario: Scenario,
  definitions: Definitions,
  most: number,
  seed = 1,
  isMeant: (cause: Cause) => boolean = () => false,
): Hunted {
  const making = { with: definitions };
  const looked = baseline(scenario, making);
  if ('unfit' in looked) throw new Error(`${scenario.name}: ${looked.unfit}: ${looked.messages.join('; ')}`);
  const search = beginSearch(looked, { seed });
  // What breaks in built-in code alone does not count, as in a search of a user.
  const catches = () => [...search.statistics.catches.values()].filter(({ cause }) => cause.elsewhere !== true);
  const caught = () => catches().find(({ cause }) => isMeant(cause));
  while (search.within(most) && caught() === undefined) {
    const outcomes: Outcome[] = [];
    for (const draw of search.round(most)) {
      const outcome = make(search.ground, draw, making);
      outcomes.push(outcome);
      // Statistics count the first cause of a run.
      if (outcome.broken.slice(0, 1).some(isMeant)) break;
    }
    search.take(outcomes);
  }
  const found = caught();
  return {
    foundIn: found?.firstRun,
    cause: found?.cause,
    runs: search.statistics.runs,
    choices: found?.choices ?? [],
    causes: catches(),
    small(which = 0) {
      const one = found ?? catches()[which];
      return one === undefined ? undefined : findingOf(search.ground, one, making);
    },
  };
}
