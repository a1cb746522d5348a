/** Clusters that continue without progress: livelock (writes bring back earlier states) and starvation (every retry of a key fails). */
export { watchLivelocks, type Livelock, livelockText, starvationText } from './livelocks.ts';
export { watchStarvation, type Starvation } from './starvation.ts';
