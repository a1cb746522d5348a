/** Exhaustive searches: every order of events, or every single fault. */
import { baseline, withLatency } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { deviateOne } from './deviations.ts';
import { tellUnfit } from './main.ts';
import { exploreOne } from './orders.ts';
import type { Whole, SearchOptions } from './options.ts';

/** Runs an exhaustive search; returns the exit code. */
export async function searchWhole(loaded: LoadedScenario, searchOptions: SearchOptions, whole: Whole, io: Io): Promise<number> {
  const { scenario, given } = whole.of === 'orders' ? withLatency(loaded.scenario) : { scenario: loaded.scenario, given: false };
  const looked = baseline(scenario, { with: loaded.plugins.definitions });
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, searchOptions.json);
  return whole.of === 'orders'
    ? exploreOne(looked, loaded, { ...searchOptions, ...whole, given }, io)
    : deviateOne(looked, loaded, searchOptions, io);
}
