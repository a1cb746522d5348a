/**
 * Worlds that go on without getting anywhere: writes that bring back, again and again, what was there before, and keys whose every try
 * fails. Both are told with what repeats. Nobody watches for them in a plain run: a search does, and a run that did not come to rest is
 * looked at again (`simulation/again.ts`).
 */
export { watchLivelocks, type Livelock } from './livelocks.ts';
export { livelockText, starvationText } from './text.ts';
export { watchStarvation, type Starvation } from './starvation.ts';
