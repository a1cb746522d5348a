/**
 * Replays recordings of the real scheduler: decisions (which node, why not, whose place is taken, which scores) and queues (when each pod
 * is tried). Each case is played against a scheduler alone in its cluster, as it was recorded.
 */
export { decisionDifferences } from './decisions.ts';
export type { DecisionCase } from './decision-case.ts';
export { RACES } from './races.ts';
export { queueDifferences, type QueueCase } from './queue.ts';
export { createWorld, type Json, type World } from './world.ts';
