/** Searches in small slices, so that input is not delayed by creating the texts of fifty thousand lines. */
import { matchesIn, queryOf } from './model/search.ts';
import * as state from './state.ts';

/** Milliseconds of a slice: less than a frame. */
const STRETCH = 8;

const now: { search: ReturnType<typeof matchesIn> | undefined } = { search: undefined };

/** Starts a search when the query or the run has changed. */
export function startSearch(): (() => void) | undefined {
  const query = queryOf(state.search.value);
  const of = state.model.value;
  now.search =
    query === undefined || of === undefined || state.other.value !== undefined ? undefined : matchesIn(of.trace, of.reported, query);
  if (now.search === undefined) {
    state.matches.value = undefined;
    return undefined;
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const goOn = (): void => {
    timer = searchUntil(performance.now() + STRETCH) ? undefined : setTimeout(goOn);
  };
  goOn();
  return () => clearTimeout(timer);
}

function searchUntil(instant: number): boolean {
  for (;;) {
    const next = now.search?.next();
    if (next === undefined) return true;
    if (next.done === true) {
      state.matches.value = next.value;
      now.search = undefined;
      return true;
    }
    if (performance.now() >= instant) return false;
  }
}

/** Returns the matches; a running search is completed first, for immediate navigation. */
export function found(): readonly number[] {
  searchUntil(Infinity);
  return state.matches.value ?? [];
}
