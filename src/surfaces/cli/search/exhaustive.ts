/** Exhaustive searches: every order of events, or every single fault. */
import { baseline, withLatency } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { deviateOne } from './deviations.ts';
import { printUnfit } from './main.ts';
import { exploreOne } from './orders.ts';
import type { ExhaustiveMode, SearchOptions } from './options.ts';

/** Runs an exhaustive search; returns the exit code. */
export async function searchExhaustively(
  loaded: LoadedScenario,
  searchOptions: SearchOptions,
  mode: ExhaustiveMode,
  io: Io,
): Promise<number> {
  const { scenario, given } = mode.of === 'orders' ? withLatency(loaded.scenario) : { scenario: loaded.scenario, given: false };
  const base = baseline(scenario, { with: loaded.plugins.definitions });
  if ('unfit' in base) return printUnfit(base, loaded, io, searchOptions.json);
  return mode.of === 'orders'
    ? exploreOne(base, loaded, { ...searchOptions, ...mode, given }, io)
    : deviateOne(base, loaded, searchOptions, io);
}
