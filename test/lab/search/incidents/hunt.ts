/** One search of an incident: rounds until one of its assertions breaks. */
import { beginSearch, findingOf, make, baseline, type Finding, type Outcome } from '../../../../src/lab/search/index.ts';
import type { Incident } from './catalogue.ts';

export interface Hunt {
  /** The first run that broke it; undefined: none did. */
  readonly foundIn: number | undefined;
  readonly runs: number;
  /** Reduces it; undefined: there is no finding, or it does not reproduce. */
  small(): Finding | undefined;
}

/** Makes up to so many runs, and stops with the finding. */
export function hunt({ scenario, making: { faults, ...making }, claims }: Incident, seed: number, most: number): Hunt {
  const looked = baseline(scenario, making);
  if ('unfit' in looked) throw new Error(`${looked.unfit}: ${looked.messages.join('; ')}`);
  const search = beginSearch(looked, { seed, faults });
  while (search.within(most)) {
    const outcomes: Outcome[] = [];
    for (const draw of search.round()) {
      const outcome = make(search.ground, draw, making);
      outcomes.push(outcome);
      // The rest of the round would add nothing.
      if (outcome.broken.some(({ claim }, at) => at === 0 && claims.some((each) => each.test(claim)))) break;
    }
    search.take(outcomes);
    const caught = [...search.statistics.catches.values()].find(({ cause }) => claims.some((claim) => claim.test(cause.claim)));
    if (caught === undefined) continue;
    return { foundIn: caught.firstRun, runs: search.statistics.runs, small: () => findingOf(search.ground, caught, making) };
  }
  return { foundIn: undefined, runs: search.statistics.runs, small: () => undefined };
}
