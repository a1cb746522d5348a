/**
 * Looks for what the reader typed, a little at a time: a key that is pressed meanwhile does not wait for the words of fifty thousand lines.
 */
import { matchesIn, queryOf } from './model/search.ts';
import * as state from './state.ts';

/** Milliseconds at a stretch: less than a frame. */
const STRETCH = 8;

/** The search that goes on. */
const now: { search: ReturnType<typeof matchesIn> | undefined } = { search: undefined };

/** Begins anew when the words, or the run, are others. */
export function lookForward(): (() => void) | undefined {
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
    timer = lookUntil(performance.now() + STRETCH) ? undefined : setTimeout(goOn);
  };
  goOn();
  return () => {
    clearTimeout(timer);
  };
}

/** Answers whether it has come to its end. */
function lookUntil(instant: number): boolean {
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

/** What is found; a search that goes on is brought to its end, for whoever wants to go there now. */
export function found(): readonly number[] {
  lookUntil(Infinity);
  return state.matches.value ?? [];
}
