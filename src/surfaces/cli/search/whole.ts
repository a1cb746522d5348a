/** Searches that look at all there is of one sort, every order or every single deed: how they go on, and what becomes of what they find. */
import { survey, withLatency } from '../../../lab/search/index.ts';
import type { Io } from '../io.ts';
import type { LoadedScenario } from '../load.ts';
import { deviateOne } from './deviations.ts';
import { tellUnfit } from './go.ts';
import { exploreOne } from './orders.ts';
import type { Whole, Wishes } from './wishes.ts';

/** Looks at all there is of one sort; answers the exit code. */
export async function searchWhole(loaded: LoadedScenario, wishes: Wishes, whole: Whole, io: Io): Promise<number> {
  const { scenario, given } = whole.of === 'orders' ? withLatency(loaded.scenario) : { scenario: loaded.scenario, given: false };
  const looked = survey(scenario, { with: loaded.own.definitions });
  if ('unfit' in looked) return tellUnfit(looked, loaded, io, wishes.json);
  return whole.of === 'orders' ? exploreOne(looked, loaded, { ...wishes, ...whole, given }, io) : deviateOne(looked, loaded, wishes, io);
}
