/** Searches that look at all there is of one sort, every order or every single fault: how they go on, and what becomes of what they find. */
import { baseline, withLatency } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { deviateOne } from './deviations.ts';
import { tellUnfit } from './go.ts';
import { exploreOne } from './orders.ts';
import type { Whole, SearchOptions } from './wishes.ts';

/** Looks at all there is of one sort; answers the exit code. */
export async function searchWhole(loaded: LoadedScenario, searchOptions: SearchOptions, whole: Whole, io: Io): Promise<number> {
  const { scenario, given } = whole.of === 'orders' ? withLatency(loaded.scenario) : { scenario: loaded.scenario, given: false };
  const looked = baseline(scenario, { with: loaded.own.definitions });
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, searchOptions.json);
  return whole.of === 'orders'
    ? exploreOne(looked, loaded, { ...searchOptions, ...whole, given }, io)
    : deviateOne(looked, loaded, searchOptions, io);
}
