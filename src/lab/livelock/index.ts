/**
 * Clusters that continue without progress: livelock, where writes bring back earlier states again and again, and starvation, where every
 * retry of a key fails. Both are reported with what repeats. A plain run does not look for them: a search does, and a run that did not
 * settle is run again for it (`simulation/liveness.ts`).
 */
export { watchLivelocks, type Livelock, livelockText, starvationText } from './livelocks.ts';
export { watchStarvation, type Starvation } from './starvation.ts';
