/**
 * Replays recordings of the real scheduler: decisions (node, failure message, victims, scores) and queues (when each pod is tried). Each
 * case runs with only a scheduler in the cluster, as it was recorded.
 */
export { decisionDifferences } from './decisions.ts';
export type { DecisionCase } from './decision-case.ts';
export { RACES } from './races.ts';
export { queueDifferences, type QueueCase } from './queue.ts';
export { createWorld, type Json, type World } from './world.ts';
